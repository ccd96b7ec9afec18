import { type NameUnit } from './names.js';
import { isHeadNoun, lowerAt, nameAt, nameEndingAt, posAt, type Row } from './unit-row.js';
import { verbGroupBefore } from './verb-group.js';

/** A name that takes part in a relation; `isLoose` if an adjacent word may be the real one ("met Velora engineers"). */
export interface Argument {
  readonly name: NameUnit;
  readonly isLoose: boolean;
}

const AND: ReadonlySet<string> = new Set(['and', 'or', '&']);
const RELATIVES: ReadonlySet<string> = new Set(['who', 'which', 'that']);
const COORDINATORS: ReadonlySet<string> = new Set(['and', 'but', 'then']);
const PRONOUNS: ReadonlySet<string> = new Set(['its', 'their', 'his', 'her', 'our', 'my', 'your', 'both', 'the']);
const APPOSITION_UNITS_MAX = 14;
const CHAIN_MAX = 4;

const isClauseStart = (row: Row, at: number): boolean =>
  at < 0 ||
  ['PUNCT', 'SCONJ', 'CCONJ', 'DET', 'SYM', 'ADV', 'NUM'].includes(posAt(row, at)) ||
  ['that', 'when', 'after', 'because', 'if', 'while', 'before', 'since', 'whether', 'unless'].includes(
    lowerAt(row, at),
  );

/**
 * The number of units before this place that join two names: "and", ", and", "as well as"; a comma only inside a list.
 */
const separatorBefore = (row: Row, at: number, isList: boolean): number => {
  const [one, two, three] = [lowerAt(row, at - 1), lowerAt(row, at - 2), lowerAt(row, at - 3)];
  if (one === 'as' && two === 'well' && three === 'as') return 3;
  if (AND.has(one)) return two === ',' ? 2 : 1;
  return isList && one === ',' ? 1 : 0;
};

/** "the", "her manager": words before a name that belong to it. */
const phraseStart = (row: Row, at: number): number => {
  if (posAt(row, at - 1) === 'DET') return at - 1;
  return posAt(row, at - 1) === 'NOUN' && PRONOUNS.has(lowerAt(row, at - 2)) ? at - 2 : at;
};

const endOfName = (row: Row, at: number): number => (lowerAt(row, at) === ')' ? beforeParenthesis(row, at) : at);

/** "A, B and C" that ends at this place. The text before it must begin a clause, or A belongs to another phrase. */
const coordinatedBefore = (row: Row, end: { name: NameUnit; at: number }): readonly NameUnit[] => {
  const names = [end.name];
  let at = end.at;
  for (;;) {
    const start = phraseStart(row, at);
    const separator = separatorBefore(row, start, names.length > 1);
    const before = separator === 0 ? undefined : nameEndingAt(row, endOfName(row, start - separator - 1));
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
      ['DET', 'NOUN', 'ADP', 'ADJ', 'PRON', 'ADV'].includes(posAt(row, at + 1)) || RELATIVES.has(lowerAt(row, at + 1));
    if (holder && opens) return [holder.name];
  }
  return [];
};

const beforeParenthesis = (row: Row, close: number): number => {
  let at = close;
  while (at >= 0 && lowerAt(row, at) !== '(') at--;
  return at - 1;
};

export const previousVerb = (row: Row, before: number): number => {
  for (let at = before; at >= 0; at--) if (['VERB', 'AUX'].includes(posAt(row, at))) return at;
  return -1;
};

/** The subjects of the verb at this place. */
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
  if (word === ',') {
    const described = beforeApposition(row, before);
    // "Tobias left Sable, reporting to Irene": the participle has the subject of the verb before it.
    if (described.length > 0 || !lowerAt(row, verb).endsWith('ing') || chain >= CHAIN_MAX) return described;
    const main = previousVerb(row, before - 1);
    return main < 0 ? [] : subjectsOf(row, main, chain + 1);
  }
  if (!COORDINATORS.has(word) || chain >= CHAIN_MAX) return [];
  const earlier = previousVerb(row, before - 1);
  return earlier < 0 ? [] : subjectsOf(row, earlier, chain + 1);
};

const SKIPPED_POS: ReadonlySet<string> = new Set(['DET', 'ADJ', 'NUM', 'ADV']);
const NOUNS_SKIPPED_MAX = 2;

/** The place of the name in this noun phrase: "the billing service Gridlock", "her boss Tomas Berg". */
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

/** The names after a verb or its preposition, including all names of an enumeration. */
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
    if (PRONOUNS.has(lowerAt(row, at)) && posAt(row, at + 1) === 'NOUN') at += 2;
    found = argumentAt(row, at);
    // "…, and Mei manages Yusuf" begins another clause.
    if (found && followsVerb(row, found.next)) break;
  }
  // Commas alone do not make a list: "works at Meridian Labs, Berlin".
  return isList ? objects : objects.slice(0, 1);
};

/** "Gridlock, which Ingrid wrote": the name that this subject's relative clause describes. */
export const antecedentOf = (row: Row, subject: NameUnit): NameUnit | undefined => {
  const at = row.indexOf(subject);
  if (!['which', 'that'].includes(lowerAt(row, at - 1))) return undefined;
  return nameEndingAt(row, lowerAt(row, at - 2) === ',' ? at - 3 : at - 2)?.name;
};
