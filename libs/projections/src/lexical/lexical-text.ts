import { QUERY_TERMS_MAX, UNSPACED_SCRIPTS } from '@cairn/contracts';

/** Longer runs are addresses and data rather than names, and would only enlarge the index. */
const COMPOUND_PARTS_MAX = 6;

/** Words of letters and digits, joined by the characters that join names: `ERR_CONN_4711`, `/v1/users`, `state-of-the-art`. */
const NAMES = /[\p{L}\p{M}\p{N}]+(?:[_./:-]+[\p{L}\p{M}\p{N}]+)*/gu;
const JOINTS = /[_./:-]+/u;

/** Increased whenever a text gives other words than before: indexes of an earlier form are rebuilt. */
export const LEXICAL_FORM = 2;

/** Letters only: punctuation of these scripts ends a run. */
const UNSPACED = new RegExp(`(?:(?=[\\p{L}\\p{M}\\p{N}])[${UNSPACED_SCRIPTS}])+`, 'gu');
const IDEOGRAPH = /\p{sc=Han}/u;

const pairsOf = (letters: readonly string[]): string[] => letters.slice(1).map((letter, i) => letters[i]! + letter);

/** These scripts do not mark where words end, so every two neighbours are a word; so is an ideograph by itself. */
const termsOfRun = (run: string): string[] => {
  const letters = [...run];
  if (letters.length === 1) return letters;
  return [...letters.filter((letter) => IDEOGRAPH.test(letter)), ...pairsOf(letters)];
};

/** Pairs are rarer than their letters: if there are any, only they are queried. */
const queryTermsOfRun = (run: string): string[] => {
  const letters = [...run];
  return letters.length > 1 ? pairsOf(letters) : letters;
};

const spaced = (text: string, termsOf: (run: string) => string[]): string =>
  text.replace(UNSPACED, (run) => ` ${termsOf(run).join(' ')} `);

const termsOf = (name: string): string => {
  // A shortcut for plain words, which most names are: this runs for every word of a rebuild.
  if (!JOINTS.test(name)) return name;
  const parts = name.split(JOINTS);
  return (parts.length > COMPOUND_PARTS_MAX ? parts : [...parts, parts.join('')]).join(' ');
};

const plainWords = (text: string): string => (text.match(NAMES) ?? []).map(termsOf).join(' ');

/** Wide and narrow forms, ligatures from a PDF and composed letters look the same to a reader. */
const folded = (text: string): string => text.normalize('NFKC').toLowerCase();

/**
 * The text that both lexical adapters index and query. By default the two split `-32605`, `/authorize` and
 * `snake_case_name` into different words; here they get the same plain words. A joined name is included twice, as its
 * parts and as one word: the parts find it, and the whole word, being rare, ranks the exact string first.
 */
export const lexicalText = (text: string): string => plainWords(spaced(folded(text), termsOfRun));

export const lexicalQuery = (query: string): string => {
  const words = plainWords(spaced(folded(query), queryTermsOfRun)).split(' ');
  return [...new Set(words)].slice(0, QUERY_TERMS_MAX).join(' ');
};
