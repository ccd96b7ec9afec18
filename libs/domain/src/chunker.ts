import { CHUNK_TOKENS_MAX, CHUNK_TOKENS_TARGET, PAGES_APART_MAX } from '@cairn/contracts';
import { isJson, jsonPieces } from './json-pieces.js';
import { markdownPieces } from './markdown-pieces.js';
import { counted, fits, splitAfter, weightOf, type Piece, type TextChunk } from './text-pieces.js';

export type { TextChunk };

/** A form feed ends a page; blank pages are joined to the page before them, because they hold nothing to find. */
const PAGE_END = /\f(?:\s*\f)?/g;

/**
 * Headings up to this length move with the text below them; together with any piece of text they still fit one chunk.
 */
const CARRIED_TOKENS_MAX = CHUNK_TOKENS_MAX - CHUNK_TOKENS_TARGET;

/** The minimum size of a chunk before it may end in favour of the next piece. */
const ENDS_FROM: Readonly<Record<Piece['kind'], number>> = {
  text: Infinity,
  heading: CHUNK_TOKENS_TARGET / 2,
  element: CHUNK_TOKENS_TARGET / 4,
};

const joined = (a: TextChunk, b: TextChunk): TextChunk => ({ text: a.text + b.text, tokens: a.tokens + b.tokens });

const belongsTogether = (current: TextChunk, next: Piece): boolean => {
  const weight = weightOf(current);
  const both = weight + weightOf(next);
  if (next.tokens === 0) return both <= CHUNK_TOKENS_MAX;
  if (weight >= ENDS_FROM[next.kind]) return false;
  return both <= CHUNK_TOKENS_TARGET || (both <= CHUNK_TOKENS_MAX && weight < CHUNK_TOKENS_TARGET / 2);
};

/**
 * The index at which the trailing headings of these pieces begin: they belong to the following text. The first piece
 * always stays.
 */
const trailingHeadings = (pieces: readonly Piece[]): number => {
  let [start, weight] = [pieces.length, 0];
  for (;;) {
    const before = pieces[start - 1];
    if (start <= 1 || before?.kind !== 'heading') return start;
    weight += weightOf(before);
    if (weight > CARRIED_TOKENS_MAX) return start;
    start--;
  }
};

const EMPTY: TextChunk = { text: '', tokens: 0 };

const pack = (pieces: readonly Piece[]): TextChunk[] => {
  const chunks: TextChunk[] = [];
  let held: Piece[] = [];
  let current = EMPTY;
  for (const piece of pieces) {
    if (held.length > 0 && !belongsTogether(current, piece)) {
      const headings = held.splice(trailingHeadings(held));
      chunks.push(held.reduce(joined, EMPTY));
      held = headings;
      current = headings.reduce(joined, EMPTY);
    }
    held.push(piece);
    current = joined(current, piece);
  }
  return held.length > 0 ? [...chunks, current] : chunks;
};

/** A blank page at either end has no page before it, or no end mark. */
const pagesOf = (text: string): string[] => {
  const pages = splitAfter(text, PAGE_END);
  if (pages.length > 1 && pages[0]!.trim() === '') pages.splice(0, 2, pages[0]! + pages[1]!);
  if (pages.length > 1 && pages.at(-1)!.trim() === '') pages.splice(-2, 2, pages.at(-2)! + pages.at(-1)!);
  return pages.length === 0 ? [text] : pages;
};

const piecesOf = (page: string): Piece[] => {
  const whole = counted(page);
  if (fits(whole)) return [whole];
  return isJson(page) ? jsonPieces(page) : markdownPieces(page);
};

/**
 * Cuts a text into consecutive segments of about CHUNK_TOKENS_TARGET tokens, at pages, headings, paragraphs, lines,
 * sentences or words, and JSON between its elements. Nothing is dropped or repeated: the joined segments are the text,
 * so no second copy of it is needed. No segment has text of two pages, a heading stays with the text below it, and a
 * line, such as a row of a table, stays whole unless it is too long.
 */
export const chunkText = (text: string): TextChunk[] => {
  const pages = pagesOf(text).map(piecesOf);
  return pages.length > PAGES_APART_MAX ? pack(pages.flat()) : pages.flatMap(pack);
};
