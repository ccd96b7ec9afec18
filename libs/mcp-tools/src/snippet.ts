import { SNIPPET_CHARS } from '@cairn/contracts';

/** A query may be 2000 characters long; its first words are enough to find the place to show. */
const WORDS_MAX = 32;
/** "a", "do", "of" stand everywhere; they count only when the query has nothing longer. */
const TELLING_WORD_CHARS_MIN = 3;

const charsIn = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

const wordsOf = (query: string): readonly string[] => {
  const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}]+/gu))];
  const telling = words.filter((word) => charsIn(word) >= TELLING_WORD_CHARS_MIN);
  return (telling.length > 0 ? telling : words).slice(0, WORDS_MAX);
};

interface Span {
  /** In UTF-16 units of the text, as JavaScript counts. */
  readonly start: number;
  readonly end: number;
}

/** Where one of the query's words stands first: as a word of its own if it does anywhere, else inside another. */
const firstMatch = (text: string, query: string): Span | undefined => {
  const words = wordsOf(query);
  if (words.length === 0) return undefined;
  const anyWord = words.join('|');
  const match =
    new RegExp(`(?<![\\p{L}\\p{N}])(?:${anyWord})(?![\\p{L}\\p{N}])`, 'iu').exec(text) ??
    new RegExp(anyWord, 'iu').exec(text);
  return match ? { start: match.index, end: match.index + match[0].length } : undefined;
};

/**
 * What a hit shows of its text: `size` characters centred on the first match, moved inwards near both ends, from the
 * start when nothing matches. Characters are code points, so no surrogate pair is ever cut.
 */
export const snippet = (text: string, query: string, size: number = SNIPPET_CHARS): string => {
  const chars = Array.from(text);
  if (chars.length <= size) return text;
  const match = firstMatch(text, query);
  if (!match) return chars.slice(0, size).join('');
  const before = charsIn(text.slice(0, match.start));
  const middle = before + Math.floor(charsIn(text.slice(match.start, match.end)) / 2);
  const start = Math.min(Math.max(middle - Math.floor(size / 2), 0), chars.length - size);
  return chars.slice(start, start + size).join('');
};
