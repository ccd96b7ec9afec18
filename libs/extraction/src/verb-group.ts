import { BE_FORMS, ENDING_VERBS, HEDGES, INTENTION_VERBS, NEGATIONS } from './lexicon.js';
import { lemmaAt, lowerAt, posAt, type Row } from './unit-row.js';

/** The words between a subject and its verb: "might not", "has never", "hopes to", "is". */
export interface VerbGroup {
  /** The place before the group. */
  readonly before: number;
  readonly isNegated: boolean;
  readonly isHedged: boolean;
  /** "is", "was", "been": with a participle, it forms the passive. */
  readonly hasBe: boolean;
}

const GROUP_POS: ReadonlySet<string> = new Set(['AUX', 'ADV', 'PART']);
const GROUP_WORDS: ReadonlySet<string> = new Set([
  'no',
  'longer',
  'to',
  'have',
  'has',
  'had',
  'both',
  'all',
  'already',
  'each',
]);

const isControl = (row: Row, at: number): boolean => {
  const next = lowerAt(row, at + 1);
  const isVerb = posAt(row, at) === 'VERB' || posAt(row, at) === 'AUX' || posAt(row, at) === 'NOUN';
  return (
    isVerb &&
    (next === 'to' || next.endsWith('ing')) &&
    (INTENTION_VERBS.has(lemmaAt(row, at)) || ENDING_VERBS.has(lemmaAt(row, at)))
  );
};

const belongs = (row: Row, at: number): boolean =>
  GROUP_POS.has(posAt(row, at)) ||
  GROUP_WORDS.has(lowerAt(row, at)) ||
  NEGATIONS.has(lowerAt(row, at)) ||
  isControl(row, at);

const isNegation = (row: Row, at: number): boolean =>
  NEGATIONS.has(lowerAt(row, at)) ||
  (lowerAt(row, at) === 'longer' && lowerAt(row, at - 1) === 'no') ||
  (isControl(row, at) && ENDING_VERBS.has(lemmaAt(row, at)));

const isHedge = (row: Row, at: number): boolean =>
  HEDGES.has(lowerAt(row, at)) ||
  (isControl(row, at) && INTENTION_VERBS.has(lemmaAt(row, at))) ||
  lowerAt(row, at) === 'to';

export const verbGroupBefore = (row: Row, verb: number): VerbGroup => {
  let before = verb - 1;
  while (before >= 0 && belongs(row, before)) before--;
  const places = Array.from({ length: verb - 1 - before }, (_, index) => before + 1 + index);
  return {
    before,
    isNegated: places.some((at) => isNegation(row, at)),
    isHedged: places.some((at) => isHedge(row, at)),
    hasBe: places.some((at) => BE_FORMS.has(lowerAt(row, at))),
  };
};
