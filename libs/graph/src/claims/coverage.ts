import { areOpposite } from './lexicon.js';
import type { SentenceFacts } from './sentence-facts.js';

/** Whether two keys name one thing for the reader: merged by a person, for example. */
export type SameName = (one: string, other: string) => boolean;

const NAME_WEIGHT = 2;

/** "Alice" beside "Alice Chen". */
const isPartOf = (short: string, long: string): boolean => {
  const words = new Set(long.split(' '));
  return short.split(' ').every((word) => words.has(word));
};

export const hasName = (facts: SentenceFacts, key: string, sameName: SameName): boolean =>
  facts.names.some(
    ({ key: other }) => other === key || sameName(key, other) || isPartOf(other, key) || isPartOf(key, other),
  );

const hasWord = ({ lemmas }: SentenceFacts, lemma: string): boolean =>
  lemmas.has(lemma) || [...lemmas].some((other) => areOpposite(lemma, other));

export interface Coverage {
  /** The share of what the claim speaks of that the sentence speaks of too, 0 to 1. Names count double. */
  readonly share: number;
  /** Names of the claim that the sentence does not have. */
  readonly missing: readonly string[];
}

/** `without`: keys of names that are left out of account. */
export const coverageOf = (
  claim: SentenceFacts,
  sentence: SentenceFacts,
  sameName: SameName,
  without: ReadonlySet<string> = new Set(),
): Coverage => {
  const names = [...new Set(claim.names.map(({ key }) => key))].filter((key) => !without.has(key));
  const missing = names.filter((key) => !hasName(sentence, key, sameName));
  const words = [...claim.lemmas];
  const covered = words.filter((lemma) => hasWord(sentence, lemma)).length;
  const all = names.length * NAME_WEIGHT + words.length;
  const share = all === 0 ? 0 : ((names.length - missing.length) * NAME_WEIGHT + covered) / all;
  return { share, missing };
};
