const WORDS_MAX = 6;
export const ENTITY_KEY_CHARS_MAX = 80;

/** Forms of address are not part of a name: "Dr. Alice Chen" and "Alice Chen" are one key. */
const TITLES: ReadonlySet<string> = new Set(['dr', 'mr', 'mrs', 'ms', 'miss', 'prof', 'professor', 'sir', 'madam']);

const POSSESSIVE = /['’]s?$/u;

/** Joining characters inside a word are kept, so that "Node.js" and "C++" differ from "Node" and "C". */
const OUTER_PUNCTUATION = /^[^\p{L}\p{N}@#]+|[^\p{L}\p{N}+#]+$/gu;

const wordsOf = (name: string): string[] =>
  name
    .normalize('NFKC')
    .toLowerCase()
    .split(/\s+/u)
    .map((word) => word.replace(POSSESSIVE, '').replace(OUTER_PUNCTUATION, ''))
    .filter((word) => word !== '');

const withoutTitles = (words: readonly string[]): readonly string[] => {
  const first = words.findIndex((word) => !TITLES.has(word));
  return first < 0 ? words : words.slice(first);
};

/**
 * The identity of a name: spellings that differ only in case, titles, a possessive or outer punctuation have the same
 * key. Undefined for a text that is too long for a name, or has no letter or digit.
 */
export const entityKey = (name: string): string | undefined => {
  const words = withoutTitles(wordsOf(name));
  const key = words.join(' ');
  return words.length === 0 || words.length > WORDS_MAX || key.length > ENTITY_KEY_CHARS_MAX ? undefined : key;
};
