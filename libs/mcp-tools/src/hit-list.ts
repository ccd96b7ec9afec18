import { neutralise } from './hygiene.js';

export interface ListedHit {
  readonly title: string;
  readonly score: number;
  readonly snippet: string;
}

/**
 * Line breaks and control characters inside a title or a snippet would break the shape of the list, or a terminal. The
 * text is neutralised first, while its line starts are still visible, like the structured fields.
 */
export const oneLine = (text: string): string =>
  neutralise(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** Two decimals; a cosine just below zero is not shown as "-0.00". */
export const twoDecimals = (score: number): string => score.toFixed(2).replace('-0.00', '0.00');

const lineOf = ({ title, score, snippet }: ListedHit, index: number): string =>
  `${index + 1}. (${twoDecimals(score)}) ${oneLine(title) || '(untitled)'}\n   "...${oneLine(snippet)}..."`;

/** The text form of a search answer, best hit first. */
export const hitList = (hits: readonly ListedHit[], notes: readonly string[]): string => {
  const list =
    hits.length === 0
      ? 'Nothing in the knowledge base matches this query. Try other words, or fewer of them.'
      : hits.map(lineOf).join('\n');
  return [list, ...notes].join('\n\n');
};

/** Notes for the reader about how the answer was produced. */
export const searchNotes = (answer: { readonly degraded: boolean; readonly stale: boolean }): readonly string[] => [
  ...(answer.degraded
    ? [
        'Note: one part of the search, semantic or keyword, is currently unavailable; these hits come from the other part.',
      ]
    : []),
  ...(answer.stale ? ['Note: the newest writes may be missing from this answer.'] : []),
];
