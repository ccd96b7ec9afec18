import { CHUNK_TOKENS_MAX, CHUNK_TOKENS_TARGET } from '@cairn/contracts';
import { countTokens } from './token-counter.js';

export interface TextChunk {
  readonly text: string;
  readonly tokens: number;
}

/** From coarse to fine: a piece that is still too long is cut at the next level. Each pattern ends a piece. */
const LEVELS: readonly RegExp[] = [
  /\n\s*\n|\n(?=#{1,6} )/g, // paragraphs and headings
  /\n/g, // lines
  /[.!?…]["')\]]*\s+|[。！？]/g, // sentences
  /\s+/g, // words
];

const PAGE_END = /\f/g;

/** What a word without end is cut into: even of the most costly characters, this many are less than a chunk. */
const CUT_UNITS = 150;

/** A page below this is too little to be found by itself, such as a slide with a title only. */
const TINY_PAGE_TOKENS = CHUNK_TOKENS_TARGET / 4;

/** Headings up to this long move with the text they stand above; with any piece of text they are still one chunk. */
const CARRIED_TOKENS_MAX = CHUNK_TOKENS_MAX - CHUNK_TOKENS_TARGET;

/** White space costs no token, but it costs room: a chunk must stay small enough for many of them to share an op. */
const UNITS_PER_TOKEN_MAX = 6;

const splitAfter = (text: string, pattern: RegExp): string[] => {
  const pieces: string[] = [];
  let start = 0;
  for (const match of text.matchAll(pattern)) {
    const end = match.index + match[0].length;
    if (end > start) pieces.push(text.slice(start, end));
    start = end;
  }
  if (start < text.length) pieces.push(text.slice(start));
  return pieces;
};

const cutAnywhere = (text: string): string[] => {
  const pieces: string[] = [];
  for (let start = 0; start < text.length;) {
    let end = Math.min(start + CUT_UNITS, text.length);
    const last = text.charCodeAt(end - 1);
    if (end < text.length && last >= 0xd800 && last <= 0xdbff) end++;
    pieces.push(text.slice(start, end));
    start = end;
  }
  return pieces;
};

const weightOf = ({ text, tokens }: TextChunk): number =>
  Math.max(tokens, Math.ceil(text.length / UNITS_PER_TOKEN_MAX));

const counted = (text: string): TextChunk => ({ text, tokens: countTokens(text) });

const smallPieces = (text: string, level: number): TextChunk[] => {
  const whole = counted(text);
  if (weightOf(whole) <= CHUNK_TOKENS_TARGET) return [whole];
  const pattern = LEVELS[level];
  if (!pattern) return cutAnywhere(text).map(counted);
  return splitAfter(text, pattern).flatMap((piece) => smallPieces(piece, level + 1));
};

const joined = (a: TextChunk, b: TextChunk): TextChunk => ({ text: a.text + b.text, tokens: a.tokens + b.tokens });

const startsHeading = (piece: string): boolean => /^#{1,6} /.test(piece);

const isHeading = ({ text }: TextChunk): boolean => startsHeading(text) && !text.trimEnd().includes('\n');

const belongsTogether = (current: TextChunk, next: TextChunk): boolean => {
  const weight = weightOf(current);
  if (startsHeading(next.text) && weight >= CHUNK_TOKENS_TARGET / 2) return false;
  const both = weight + weightOf(next);
  return both <= CHUNK_TOKENS_TARGET || (both <= CHUNK_TOKENS_MAX && weight < CHUNK_TOKENS_TARGET / 2);
};

/** Where the headings at the end of these pieces begin: they belong to what comes next. The first piece always stays. */
const trailingHeadings = (pieces: readonly TextChunk[]): number => {
  let [start, weight] = [pieces.length, 0];
  for (;;) {
    const before = pieces[start - 1];
    if (start <= 1 || !before || !isHeading(before)) return start;
    weight += weightOf(before);
    if (weight > CARRIED_TOKENS_MAX) return start;
    start--;
  }
};

const EMPTY: TextChunk = { text: '', tokens: 0 };

const pack = (pieces: readonly TextChunk[]): TextChunk[] => {
  const chunks: TextChunk[] = [];
  let held: TextChunk[] = [];
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

const isWithin = (a: TextChunk, b: TextChunk, max: number): boolean => weightOf(a) + weightOf(b) <= max;

/** Whole pages share a chunk when one of them is tiny; a page without words goes to whatever stands before it. */
const sharesChunk = (last: PageChunk, next: PageChunk): boolean => {
  if (next.chunk.tokens === 0) return isWithin(last.chunk, next.chunk, CHUNK_TOKENS_MAX);
  if (!last.isWhole || !next.isWhole) return false;
  const isTiny = Math.min(weightOf(last.chunk), weightOf(next.chunk)) < TINY_PAGE_TOKENS;
  return isTiny && isWithin(last.chunk, next.chunk, CHUNK_TOKENS_TARGET);
};

interface PageChunk {
  readonly chunk: TextChunk;
  /** It holds all of its page, or of several. */
  readonly isWhole: boolean;
}

const chunksOfPage = (page: string): PageChunk[] => {
  const chunks = pack(smallPieces(page, 0));
  return chunks.map((chunk) => ({ chunk, isWhole: chunks.length === 1 }));
};

/**
 * Cuts a text into consecutive segments of about CHUNK_TOKENS_TARGET tokens, at pages, headings, paragraphs, lines,
 * sentences or words. Nothing is dropped or repeated: the segments put together are the text, so no second copy of it is
 * needed. A heading stays with the text below it, and a line, such as a row of a table, is whole unless it is too long.
 */
export const chunkText = (text: string): TextChunk[] => {
  const merged: PageChunk[] = [];
  for (const next of splitAfter(text, PAGE_END).flatMap(chunksOfPage)) {
    const last = merged.at(-1);
    if (last && sharesChunk(last, next))
      merged[merged.length - 1] = { chunk: joined(last.chunk, next.chunk), isWhole: last.isWhole };
    else merged.push(next);
  }
  return merged.map(({ chunk }) => chunk);
};
