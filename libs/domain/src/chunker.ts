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

/** What a word without end is cut into: even of the most costly characters, this many are less than a chunk. */
const CUT_UNITS = 150;

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

const startsHeading = (piece: string): boolean => /^#{1,6} /.test(piece);

const belongsTogether = (current: TextChunk, next: TextChunk): boolean => {
  const weight = weightOf(current);
  if (startsHeading(next.text) && weight >= CHUNK_TOKENS_TARGET / 2) return false;
  const joined = weight + weightOf(next);
  return joined <= CHUNK_TOKENS_TARGET || (joined <= CHUNK_TOKENS_MAX && weight < CHUNK_TOKENS_TARGET / 2);
};

/**
 * Cuts a text into consecutive segments of about CHUNK_TOKENS_TARGET tokens, at headings, paragraphs, lines, sentences
 * or words. Nothing is dropped or repeated: the segments put together are the text, so no second copy of it is needed.
 */
export const chunkText = (text: string): TextChunk[] => {
  const chunks: TextChunk[] = [];
  for (const piece of smallPieces(text, 0)) {
    const current = chunks.at(-1);
    if (current && belongsTogether(current, piece)) {
      chunks[chunks.length - 1] = { text: current.text + piece.text, tokens: current.tokens + piece.tokens };
    } else {
      chunks.push(piece);
    }
  }
  return chunks;
};
