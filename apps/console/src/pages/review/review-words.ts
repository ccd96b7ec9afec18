import type { ReviewEntry, ReviewKind } from '../../api/answers.js';

/** In the order in which the choices are shown. */
export const REVIEW_KINDS: readonly ReviewKind[] = ['edge', 'merge', 'conflict'];

export const KIND_LABELS: Readonly<Record<ReviewKind, string>> = {
  edge: 'Statements',
  merge: 'Names',
  conflict: 'Conflicts',
};

interface Answers {
  readonly yes: string;
  readonly no: string;
  /** The outcome in words, shown after the names of the entry. */
  readonly done: Readonly<Record<'confirmed' | 'rejected', string>>;
}

const STATEMENT: Answers = { yes: 'Confirm', no: 'Reject', done: { confirmed: 'confirmed', rejected: 'rejected' } };

/** The answers that a person can choose from, by kind. */
export const ANSWERS: Readonly<Record<ReviewKind, Answers>> = {
  edge: STATEMENT,
  merge: { yes: 'Merge', no: 'Not the same', done: { confirmed: 'merged', rejected: 'kept apart' } },
  conflict: STATEMENT,
};

/** "Alice Chen works at Meridian Labs", or for a merge "Alice = Alice Chen". */
export const claimOf = ({ kind, subject, predicate, object }: ReviewEntry): readonly [string, string, string] => [
  subject,
  kind === 'merge' ? 'is the same as' : (predicate ?? '').replaceAll('_', ' '),
  object ?? '',
];
