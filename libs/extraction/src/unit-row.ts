import { HEAD_NOUNS } from './lexicon.js';
import { type NameUnit } from './names.js';
import { type Unit, type WordUnit } from './reading.js';

/** Helpers that test one place in a row of units. A place outside the row behaves like a word that matches nothing. */
export type Row = readonly Unit[];

export const wordAt = (row: Row, at: number): WordUnit | undefined => {
  const unit = row[at];
  return unit?.kind === 'word' ? unit : undefined;
};
export const nameAt = (row: Row, at: number): NameUnit | undefined => {
  const unit = row[at];
  return unit?.kind === 'name' ? unit : undefined;
};
export const lowerAt = (row: Row, at: number): string => wordAt(row, at)?.token.lower ?? '';
export const lemmaAt = (row: Row, at: number): string => wordAt(row, at)?.token.lemma ?? '';
export const posAt = (row: Row, at: number): string => wordAt(row, at)?.token.pos ?? '';

const ALL_HEAD_NOUNS: ReadonlySet<string> = new Set(Object.values(HEAD_NOUNS).flatMap((nouns) => [...nouns]));
export const isHeadNoun = (row: Row, at: number): boolean => ALL_HEAD_NOUNS.has(lowerAt(row, at));

/** The name that ends at this place: the name itself, or the one before its head noun ("the Falcon project"). */
export const nameEndingAt = (row: Row, at: number): { readonly name: NameUnit; readonly at: number } | undefined => {
  const name = nameAt(row, at);
  if (name) return name.isPossessive ? undefined : { name, at };
  const before = isHeadNoun(row, at) ? nameAt(row, at - 1) : undefined;
  return before && !before.isPossessive ? { name: before, at: at - 1 } : undefined;
};
