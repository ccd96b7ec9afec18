import { SNIPPET_CHARS } from '@cairn/contracts';

/** A query may be 2000 characters long; its first words are enough to find the place to show. */
const WORDS_MAX = 32;
/** "a", "do", "of" stand everywhere; they count only when the query has nothing longer. */
const TELLING_WORD_CHARS_MIN = 3;
/** Marks belong to the letter before them: without them, words of many scripts would fall apart. */
const LETTER = '[\\p{L}\\p{N}\\p{M}]';

const charsIn = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

const wordsOf = (query: string): readonly string[] => {
  const words = [...new Set(query.match(new RegExp(`${LETTER}+`, 'gu')))];
  const telling = words.filter((word) => charsIn(word) >= TELLING_WORD_CHARS_MIN);
  return (telling.length > 0 ? telling : words).slice(0, WORDS_MAX);
};

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** The query as it was typed, except for the amount of white space; a word at either end must end there. */
const phraseOf = (query: string): string => {
  const parts = query.split(/\s+/u).filter((part) => part !== '');
  const phrase = parts.map(literally).join('\\s+');
  const startsWord = new RegExp(`^${LETTER}`, 'u').test(parts[0] ?? '');
  const endsWord = new RegExp(`${LETTER}$`, 'u').test(parts.at(-1) ?? '');
  return `${startsWord ? `(?<!${LETTER})` : ''}${phrase}${endsWord ? `(?!${LETTER})` : ''}`;
};

/** What is looked for, the most telling first: the whole query, one of its words alone, one inside another word. */
const patternsOf = (query: string): readonly string[] => {
  const words = wordsOf(query);
  const anyWord = `(?:${words.join('|')})`;
  return [
    ...(query.trim() === '' ? [] : [phraseOf(query)]),
    ...(words.length === 0 ? [] : [`(?<!${LETTER})${anyWord}(?!${LETTER})`, anyWord]),
  ];
};

interface Span {
  /** In UTF-16 units of the text, as JavaScript counts. */
  readonly start: number;
  readonly end: number;
}

const patternsFor = (query: string): readonly RegExp[] => patternsOf(query).map((pattern) => new RegExp(pattern, 'iu'));

/** All hits of an answer are cut for one query, one after the other: its patterns are made for the first of them. */
let latest: { readonly query: string; readonly patterns: readonly RegExp[] } = { query: '', patterns: patternsFor('') };

const firstMatch = (text: string, query: string): Span | undefined => {
  if (latest.query !== query) latest = { query, patterns: patternsFor(query) };
  for (const pattern of latest.patterns) {
    const match = pattern.exec(text);
    if (match) return { start: match.index, end: match.index + match[0].length };
  }
  return undefined;
};

/** Code points outside the basic plane take two units: only a text with such has to be taken apart to be counted. */
const SURROGATE = /[\ud800-\udfff]/;
const pointsOf = (text: string): string | readonly string[] => (SURROGATE.test(text) ? Array.from(text) : text);
const joined = (points: string | readonly string[]): string => (typeof points === 'string' ? points : points.join(''));

/**
 * What a hit shows of its text: `size` characters centred on the first match, moved inwards near both ends, from the
 * start when nothing matches (X-20). Characters are code points, so no surrogate pair is ever cut.
 */
export const snippet = (text: string, query: string, size: number = SNIPPET_CHARS): string => {
  const chars = pointsOf(text);
  if (chars.length <= size) return text;
  const match = firstMatch(text, query);
  if (!match) return joined(chars.slice(0, size));
  const before = pointsOf(text.slice(0, match.start)).length;
  const middle = before + Math.floor(pointsOf(text.slice(match.start, match.end)).length / 2);
  const start = Math.min(Math.max(middle - Math.floor(size / 2), 0), chars.length - size);
  return joined(chars.slice(start, start + size));
};
