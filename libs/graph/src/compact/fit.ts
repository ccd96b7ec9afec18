import { countTokens } from '../token-counter.js';

/** A part of a text that is kept or left out as a whole. */
export interface Part {
  readonly text: string;
  /** Parts with a higher score are kept first; parts with the same score in text order. */
  readonly score: number;
}

/** The longest beginning of a text within a budget, cut at a line, or else at a word, or else anywhere. */
export const cutToFit = (text: string, tokensMax: number): string => {
  const fits = (end: number): boolean => countTokens(text.slice(0, end)) <= tokensMax;
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  const end = lastBreak(text, low);
  // After a cut inside a word or a surrogate pair, the part could count more tokens than the whole.
  return end > 0 && fits(end) ? text.slice(0, end).trimEnd() : '';
};

const lastBreak = (text: string, end: number): number => {
  if (end >= text.length || /\s/u.test(text[end]!)) return end;
  const before = text.slice(0, end);
  const line = before.lastIndexOf('\n');
  const space = before.search(/\s\S*$/u);
  if (line > end / 2) return line;
  return space > 0 ? space : end - (/[\ud800-\udbff]$/.test(before) ? 1 : 0);
};

/**
 * The parts that fit into a budget, best first. A part that does not fit is skipped: a shorter one after it may fit.
 */
export const chosen = (parts: readonly Part[], tokensMax: number): ReadonlySet<number> => {
  const order = parts
    .map(({ score }, index) => ({ score, index }))
    .sort((a, b) => b.score - a.score || a.index - b.index);
  const kept = new Set<number>();
  let left = tokensMax;
  for (const { index } of order) {
    const tokens = countTokens(parts[index]!.text);
    if (tokens > left) continue;
    kept.add(index);
    left -= tokens;
  }
  return kept;
};
