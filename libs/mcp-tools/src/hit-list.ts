export interface ListedHit {
  readonly title: string;
  readonly score: number;
  readonly snippet: string;
}

/** Line breaks inside a title or a snippet would break the shape of the list. */
const oneLine = (text: string): string => text.replace(/\s+/gu, ' ').trim();

const lineOf = (hit: ListedHit, index: number): string =>
  `${index + 1}. (${hit.score.toFixed(2)}) ${oneLine(hit.title)}\n   "...${oneLine(hit.snippet)}..."`;

/** The text form of a search answer (G-19 to G-22): best first, as the hits come. */
export const hitList = (hits: readonly ListedHit[], notes: readonly string[]): string => {
  const list =
    hits.length === 0
      ? 'Nothing in the knowledge base matches this query. Try other words, or fewer of them.'
      : hits.map(lineOf).join('\n');
  return [list, ...notes].join('\n\n');
};

/** What a reader should know about how the answer came about. */
export const searchNotes = (answer: { readonly degraded: boolean; readonly stale: boolean }): readonly string[] => [
  ...(answer.degraded ? ['Note: meaning-based search is away at the moment; these are keyword hits only.'] : []),
  ...(answer.stale ? ['Note: the newest writes may be missing from this answer.'] : []),
];
