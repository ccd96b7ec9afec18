import { type NameUnit } from './names.js';
import { isHeadNoun, lowerAt, nameAt, nameEndingAt, posAt, type Row } from './unit-row.js';
import { verbGroupBefore } from './verb-group.js';

/** A name that takes part in a relation; `isLoose` if a word beside it may be the real one ("met Velora engineers"). */
export interface Argument {
  readonly name: NameUnit;
  readonly isLoose: boolean;
}

const AND: ReadonlySet<string> = new Set(['and', 'or', '&']);
const RELATIVES: ReadonlySet<string> = new Set(['who', 'which', 'that']);
const COORDINATORS: ReadonlySet<string> = new Set(['and', 'but', 'then']);
const APPOSITION_UNITS_MAX = 14;
const CHAIN_MAX = 4;

const isClauseStart = (row: Row, at: number): boolean =>
  at < 0 ||
  ['PUNCT', 'SCONJ', 'CCONJ', 'DET', 'SYM', 'ADV', 'NUM'].includes(posAt(row, at)) ||
  ['that', 'when', 'after', 'because', 'if', 'while', 'before', 'since', 'whether', 'unless'].includes(
    lowerAt(row, at),
  );

/** "A, B and C" that ends at this place. What stands before it must begin a clause, or A belongs to something else. */
const coordinatedBefore = (row: Row, end: { name: NameUnit; at: number }): readonly NameUnit[] => {
  const names = [end.name];
  let at = end.at;
  for (;;) {
    const skip = posAt(row, at - 1) === 'DET' ? 1 : 0;
    const separator = lowerAt(row, at - 1 - skip);
    const isOxford = separator === 'and' && lowerAt(row, at - 2 - skip) === ',';
    if (!AND.has(separator) && !(separator === ',' && names.length > 1)) break;
    const before = nameEndingAt(row, at - 2 - skip - (isOxford ? 1 : 0));
    if (!before) break;
    names.unshift(before.name);
    at = before.at;
  }
  return names.length === 1 || isClauseStart(row, at - 1) ? names : [end.name];
};

/** "Alice Chen, head of Meridian, opened": from the second comma back to the name before the first. */
const beforeApposition = (row: Row, comma: number): readonly NameUnit[] => {
  for (let at = comma - 2; at > 0 && comma - at <= APPOSITION_UNITS_MAX; at--) {
    const holder = lowerAt(row, at) === ',' ? nameEndingAt(row, at - 1) : undefined;
    const opens =
      ['DET', 'NOUN', 'ADP', 'ADJ', 'PRON'].includes(posAt(row, at + 1)) || RELATIVES.has(lowerAt(row, at + 1));
    if (holder && opens) return [holder.name];
  }
  return [];
};

const beforeParenthesis = (row: Row, close: number): number => {
  let at = close;
  while (at >= 0 && lowerAt(row, at) !== '(') at--;
  return at - 1;
};

const previousVerb = (row: Row, before: number): number => {
  for (let at = before; at >= 0; at--) if (['VERB', 'AUX'].includes(posAt(row, at))) return at;
  return -1;
};

/** Who does what the verb at this place says. */
export const subjectsOf = (row: Row, verb: number, chain = 0): readonly NameUnit[] => {
  let { before } = verbGroupBefore(row, verb);
  if (lowerAt(row, before) === ')') before = beforeParenthesis(row, before);
  const direct = nameEndingAt(row, before);
  if (direct) return coordinatedBefore(row, direct);
  const word = lowerAt(row, before);
  if (RELATIVES.has(word)) {
    const antecedent = nameEndingAt(row, lowerAt(row, before - 1) === ',' ? before - 2 : before - 1);
    return antecedent ? [antecedent.name] : [];
  }
  if (word === ',') return beforeApposition(row, before);
  if (!COORDINATORS.has(word) || chain >= CHAIN_MAX) return [];
  const earlier = previousVerb(row, before - 1);
  return earlier < 0 ? [] : subjectsOf(row, earlier, chain + 1);
};

const SKIPPED_POS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NUM', 'ADV']);
const PRONOUNS: ReadonlySet<string> = new Set(['its', 'their', 'his', 'her', 'our', 'my', 'your', 'both', 'the']);
const NOUNS_SKIPPED_MAX = 2;

/** The place of the name that this noun phrase is about: "the billing service Gridlock", "her boss Tomas Berg". */
const nameInPhrase = (row: Row, from: number): number => {
  let at = from;
  let nouns = 0;
  for (; at < row.length && !nameAt(row, at); at++) {
    const isNoun = posAt(row, at) === 'NOUN';
    if (isNoun && ++nouns <= NOUNS_SKIPPED_MAX) continue;
    if (isNoun || !(SKIPPED_POS.has(posAt(row, at)) || PRONOUNS.has(lowerAt(row, at)))) return -1;
  }
  return at < row.length ? at : -1;
};

const followsVerb = (row: Row, at: number): boolean =>
  ['VERB', 'AUX'].includes(posAt(row, at)) ||
  (posAt(row, at) === 'ADV' && ['VERB', 'AUX'].includes(posAt(row, at + 1)));

const argumentAt = (row: Row, at: number): { readonly argument: Argument; readonly next: number } | undefined => {
  const name = nameAt(row, at);
  if (!name || name.isPossessive) return undefined;
  const next = isHeadNoun(row, at + 1) ? at + 2 : at + 1;
  return { argument: { name, isLoose: next === at + 1 && posAt(row, next) === 'NOUN' }, next };
};

/** The names after a verb or its preposition, all of an enumeration. */
export const objectsFrom = (row: Row, from: number): readonly Argument[] => {
  const first = nameInPhrase(row, from);
  let found = first < 0 ? undefined : argumentAt(row, first);
  const objects: Argument[] = [];
  let isList = false;
  while (found) {
    objects.push(found.argument);
    let at = found.next;
    if (lowerAt(row, at) === ',') at++;
    if (AND.has(lowerAt(row, at))) {
      at++;
      isList = true;
    }
    if (at === found.next) break;
    if (posAt(row, at) === 'DET') at++;
    found = argumentAt(row, at);
    // "…, and Mei manages Yusuf" begins another clause.
    if (found && followsVerb(row, found.next)) break;
  }
  // Commas alone list nothing: "works at Meridian Labs, Berlin".
  return isList ? objects : objects.slice(0, 1);
};
