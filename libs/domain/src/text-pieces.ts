import { CHUNK_TOKENS_TARGET } from '@cairn/contracts';
import { countTokens } from './token-counter.js';

export interface TextChunk {
  readonly text: string;
  readonly tokens: number;
}

/** A part of a chunk, never larger than a chunk itself. */
export interface Piece extends TextChunk {
  /**
   * A heading belongs to the following text; the start of a JSON element is a better place to begin than its middle.
   */
  readonly kind: 'text' | 'heading' | 'element';
}

/**
 * From coarse to fine: a piece that is still too long is cut at the next level. A piece ends at a match of the pattern.
 */
const LEVELS: readonly RegExp[] = [
  /\n/g, // lines
  /[.!?…]["')\]]*\s+|[。！？]/g, // sentences
  /\s+/g, // words
];

/** The length of pieces of an endless word: even of the costliest characters, this many make less than a chunk. */
const CUT_UNITS = 150;

/** White space costs no tokens, but takes space: a chunk must stay small enough for many of them to share an op. */
const UNITS_PER_TOKEN_MAX = 6;

export const weightOf = ({ text, tokens }: TextChunk): number =>
  Math.max(tokens, Math.ceil(text.length / UNITS_PER_TOKEN_MAX));

export const counted = (text: string, kind: Piece['kind'] = 'text'): Piece => ({
  text,
  tokens: countTokens(text),
  kind,
});

export const fits = (piece: TextChunk): boolean => weightOf(piece) <= CHUNK_TOKENS_TARGET;

export const splitAfter = (text: string, pattern: RegExp): string[] => {
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

export const startingWith = (kind: Piece['kind'], pieces: readonly Piece[]): Piece[] =>
  pieces.map((piece, i) => (i === 0 ? { ...piece, kind } : piece));

/** Cuts a text without structure at its lines, sentences or words. */
export const plainPieces = (text: string, level = 0): Piece[] => {
  const whole = counted(text);
  if (fits(whole)) return [whole];
  const pattern = LEVELS[level];
  if (!pattern) return cutAnywhere(text).map((piece) => counted(piece));
  return splitAfter(text, pattern).flatMap((piece) => plainPieces(piece, level + 1));
};
