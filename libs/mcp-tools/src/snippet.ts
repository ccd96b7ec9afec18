import { SNIPPET_CHARS, UNSPACED_SCRIPTS } from '@cairn/contracts';
import { neutralise } from './hygiene.js';

/** A query may be 2000 characters long; its first words are enough to find the place to show. */
const WORDS_MAX = 32;
/** "a", "do", "of" occur everywhere; they count only if the query has nothing else. "AI" and "5G" are significant. */
const TELLING_WORD_CHARS_MIN = 3;
const TELLING_ACRONYM_CHARS_MIN = 2;
/** Marks belong to the letter before them: without them, words of many scripts would fall apart. */
const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const STARTS_WITH_LETTER = /^[\p{L}\p{N}\p{M}]/u;
const ENDS_WITH_LETTER = /[\p{L}\p{N}\p{M}]$/u;
const SPACES = /\s+/uy;

const charsIn = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

/** In lower case, with the same length: offsets in it are offsets in the text. */
const folded = (text: string): string => {
  const lower = text.toLowerCase();
  if (lower.length === text.length) return lower;
  const foldOne = (char: string): string => (char.toLowerCase().length === char.length ? char.toLowerCase() : char);
  return Array.from(text, foldOne).join('');
};

/** Mostly question words: their place in a text says nothing about the answer. */
const COMMON = new Set(
  (
    'about and any are been before but can could did does for from had has have her his how into its not our out shall ' +
    'should than that the their them then there these they this those was were what when where which while who whom ' +
    'whose why will with would you your'
  ).split(' '),
);

const isTelling = (word: string): boolean =>
  charsIn(word) >= (word === word.toUpperCase() ? TELLING_ACRONYM_CHARS_MIN : TELLING_WORD_CHARS_MIN) &&
  !COMMON.has(word.toLowerCase());

const wordsOf = (query: string): readonly string[] => {
  const words = [...new Set(query.match(WORD))];
  const telling = words.filter(isTelling);
  return (telling.length > 0 ? telling : words).slice(0, WORDS_MAX).map(folded);
};

interface Span {
  /** In UTF-16 units of the text, as JavaScript counts. */
  readonly start: number;
  readonly end: number;
}

/** A code point takes at most two units, so two are enough to see the one next to a place. */
const isCut = (text: string, { start, end }: Span): boolean =>
  (STARTS_WITH_LETTER.test(text.slice(start, start + 2)) &&
    ENDS_WITH_LETTER.test(text.slice(Math.max(start - 2, 0), start))) ||
  (ENDS_WITH_LETTER.test(text.slice(Math.max(end - 2, 0), end)) && STARTS_WITH_LETTER.test(text.slice(end, end + 2)));

/** The end of `parts` if they occur at this place one after the other, separated by white space. */
const endOfParts = (text: string, start: number, parts: readonly string[]): number | undefined => {
  let end = start;
  for (const [i, part] of parts.entries()) {
    if (i > 0) {
      SPACES.lastIndex = end;
      if (!SPACES.test(text)) return undefined;
      end = SPACES.lastIndex;
    }
    if (!text.startsWith(part, end)) return undefined;
    end += part.length;
  }
  return end;
};

/** The first place where the parts occur as whole words. */
const firstWhole = (text: string, parts: readonly string[]): Span | undefined => {
  for (let start = text.indexOf(parts[0]!); start !== -1; start = text.indexOf(parts[0]!, start + 1)) {
    const end = endOfParts(text, start, parts);
    if (end !== undefined && !isCut(text, { start, end })) return { start, end };
  }
  return undefined;
};

const firstInside = (text: string, word: string): Span | undefined => {
  const start = text.indexOf(word);
  return start === -1 ? undefined : { start, end: start + word.length };
};

const foremost = (spans: readonly (Span | undefined)[]): Span | undefined =>
  spans.reduce((best, span) => (span && (!best || span.start < best.start) ? span : best), undefined);

/**
 * The most significant match first: the whole query, one of its words alone, one inside another word. Uses plain
 * search, since a pattern built from the query would be compiled for every call, which takes longer than everything
 * else in here.
 */
const firstMatch = (original: string, query: string): Span | undefined => {
  const text = folded(original);
  const sought = folded(query);
  const phrase = sought.split(/\s+/u).filter((part) => part !== '');
  const whole = phrase.length === 0 ? undefined : firstWhole(text, phrase);
  if (whole) return whole;
  const words = wordsOf(query);
  return (
    foremost(words.map((word) => firstWhole(text, [word]))) ?? foremost(words.map((word) => firstInside(text, word)))
  );
};

/** Text inside a run of these letters counts as a word. */
const UNSPACED = new RegExp(`[${UNSPACED_SCRIPTS}]`, 'u');

/** The query exactly as typed. */
const firstLiteral = (original: string, query: string): Span | undefined => {
  const [text, sought] = [folded(original), folded(query).trim()];
  if (sought === '') return undefined;
  return UNSPACED.test(sought) ? firstInside(text, sought) : firstWhole(text, sought.split(/\s+/u));
};

/**
 * Code points outside the basic plane take two units: only a text with such characters has to be split for counting.
 */
const SURROGATE = /[\ud800-\udfff]/;
const pointsOf = (text: string): string | readonly string[] => (SURROGATE.test(text) ? Array.from(text) : text);
const joined = (points: string | readonly string[]): string => (typeof points === 'string' ? points : points.join(''));

const cut = (text: string, match: Span | undefined): string => {
  const chars = pointsOf(text);
  if (chars.length <= SNIPPET_CHARS) return text;
  if (!match) return joined(chars.slice(0, SNIPPET_CHARS));
  const before = pointsOf(text.slice(0, match.start)).length;
  const middle = before + Math.floor(pointsOf(text.slice(match.start, match.end)).length / 2);
  const start = Math.min(Math.max(middle - Math.floor(SNIPPET_CHARS / 2), 0), chars.length - SNIPPET_CHARS);
  return joined(chars.slice(start, start + SNIPPET_CHARS));
};

/** A quoted line grows; the shown text must not. The part that is cut off may have counted less before. */
const fitted = (shown: string): string => {
  let fit = shown;
  for (;;) {
    const excess = charsIn(neutralise(fit)) - SNIPPET_CHARS;
    if (excess <= 0) return fit;
    fit = joined(pointsOf(fit).slice(0, -excess));
  }
};

/**
 * The part of a text that a hit shows: 240 characters centred on the first match, moved inwards near both ends, and
 * from the start when nothing matches. Characters are code points, so no surrogate pair is ever cut. If the words of
 * the query match nothing (`hasWords` is false), only the query exactly as typed counts, not one of its words.
 */
export const snippet = (text: string, query: string, { hasWords = true } = {}): string => {
  const isShort = text.length <= SNIPPET_CHARS;
  const match = isShort ? undefined : (hasWords ? firstMatch : firstLiteral)(text, query);
  return fitted(cut(text, match));
};
