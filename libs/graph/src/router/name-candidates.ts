import { entityKey } from '../entity-key.js';

const WORDS_PER_NAME_MAX = 4;
const QUERY_WORDS_MAX = 64;

/** Words that are never names, so that they are not looked up. */
const NOT_NAMES: ReadonlySet<string> = new Set(
  (
    'a an the who whom whose what which when where why how is are was were be do does did of in on at by for with from to and or ' +
    'between about my our your their his her its me us i we you they he she it this that these those any some all'
  ).split(' '),
);

export interface NameCandidate {
  readonly key: string;
  /** As the query writes it. */
  readonly text: string;
}

/** Runs of one to four words of a query that may be names, longest first, each key once. */
export const nameCandidates = (query: string): readonly NameCandidate[] => {
  const words = query.split(/\s+/u).filter(Boolean).slice(0, QUERY_WORDS_MAX);
  const found = new Map<string, string>();
  for (let length = WORDS_PER_NAME_MAX; length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      const run = words.slice(from, from + length);
      const key = entityKey(run.join(' '));
      const ends = [key?.split(' ')[0], key?.split(' ').at(-1)];
      if (key === undefined || ends.some((word) => NOT_NAMES.has(word ?? '')) || found.has(key)) continue;
      found.set(key, run.join(' '));
    }
  }
  return [...found].map(([key, text]) => ({ key, text }));
};
