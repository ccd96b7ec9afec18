/**
 * Cairn's one token counter: deterministic, needs no model, the same everywhere. It estimates the word pieces of
 * the default model from the shape of the text and errs on the high side for English prose, so that a chunk of
 * CHUNK_TOKENS_MAX fits the model's 512 positions.
 */
const PIECE =
  /[\p{Script=Latin}\p{M}]+|[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]|[\p{L}\p{M}]+|\p{N}+|[^\s]/gu;

const LATIN_WORD_CHARS = 9;
const LATIN_TAIL_CHARS = 4;
const OTHER_SCRIPT_CHARS = 2;
const DIGIT_CHARS = 3;

const piecesOf = (word: string): number => {
  const first = word.codePointAt(0)!;
  if (first < 0x250) {
    if (first >= 0x30 && first <= 0x39) return Math.ceil(word.length / DIGIT_CHARS);
    if (word.length <= LATIN_WORD_CHARS) return 1;
    return 1 + Math.ceil((word.length - LATIN_WORD_CHARS) / LATIN_TAIL_CHARS);
  }
  return Math.ceil(word.length / OTHER_SCRIPT_CHARS);
};

export const countTokens = (text: string): number => {
  let tokens = 0;
  for (const match of text.matchAll(PIECE)) tokens += piecesOf(match[0]);
  return tokens;
};
