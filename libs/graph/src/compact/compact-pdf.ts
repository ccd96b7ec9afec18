import { countTokens } from '../token-counter.js';
import { cutToFit } from './fit.js';
import { frequency, queryTokens } from './query-tokens.js';
import { PAGE_END } from './text-format.js';

const headOf = (page: number): string => `[page ${page + 1}]`;

interface Kept {
  readonly page: number;
  readonly text: string;
}

/** Pages with the words of the query, most frequent first; without a query, in document order. */
const ranked = (pages: readonly string[], query: string): number[] => {
  const tokens = queryTokens(query);
  const scores = pages.map((page) => frequency(page, tokens));
  return pages.map((_, page) => page).sort((a, b) => scores[b]! - scores[a]! || a - b);
};

/** Whole pages while they fit; the first page that does not fit is cut, and ends the text. */
export const compactPdf = (text: string, query: string, tokensMax: number): string => {
  const pages = text.split(PAGE_END);
  const note = `… of ${pages.length} pages`;
  let left = tokensMax - countTokens(note);
  if (left <= 0) return cutToFit(text.replaceAll(PAGE_END, '\n'), tokensMax);
  const kept: Kept[] = [];
  for (const page of ranked(pages, query)) {
    left -= countTokens(headOf(page));
    if (left <= 0) break;
    const whole = pages[page]!.trim();
    const shown = countTokens(whole) <= left ? whole : cutToFit(whole, left);
    if (shown === '' && whole !== '') break;
    kept.push({ page, text: shown });
    left -= countTokens(shown);
    if (shown !== whole) break;
  }
  const inOrder = [...kept].sort((a, b) => a.page - b.page);
  return [...inOrder.map((one) => `${headOf(one.page)}\n${one.text}`), note].join('\n\n');
};
