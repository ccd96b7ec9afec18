const WORD = /[\p{L}\p{N}\p{M}]+/gu;
const TOKEN_CHARS_MIN = 3;

/** Question words: their position says nothing about the subject of the query. */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'about and any are been before but can could did does for from had has have her his how into its not our out shall ' +
    'should than that the their them then there these they this those was were what when where which while who whom ' +
    'whose why will with would you your'
  ).split(' '),
);

const wordsOf = (text: string): string[] => text.toLowerCase().match(WORD) ?? [];

/** The content words of a query: those with three letters or more, each once, without question words. */
export const queryTokens = (query: string): ReadonlySet<string> =>
  new Set(wordsOf(query).filter((word) => Array.from(word).length >= TOKEN_CHARS_MIN && !STOP_WORDS.has(word)));

/** How often the words of a query occur in a text. */
export const frequency = (text: string, tokens: ReadonlySet<string>): number =>
  tokens.size === 0 ? 0 : wordsOf(text).filter((word) => tokens.has(word)).length;
