import { ITEM_TEXT_CHARS_MAX, ITEM_TITLE_CHARS_MAX, QUERY_CHARS_MAX } from '@cairn/contracts';

/** As Cairn counts and stores it: NFC, and without what no text may hold, which is NUL and halves of characters. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\u0000', ' ').normalize('NFC').trim();

/** A character takes at most two units, so what lies beyond them need not be looked at: some texts are very long. */
const firstChars = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');

/**
 * A document of somebody else's set as it can be stored: published sets have documents without a text, without a title,
 * and longer than any memory. What is missing is taken from the other parts, what is too long is cut.
 */
export const fittedDocument = (document: {
  readonly id: string;
  readonly title: string;
  readonly text: string;
}): { readonly title: string; readonly text: string } => {
  const [title, text] = [clean(document.title), clean(document.text)];
  return {
    title: firstChars(title || document.id, ITEM_TITLE_CHARS_MAX),
    text: firstChars(text || title || document.id, ITEM_TEXT_CHARS_MAX),
  };
};

/** Some sets ask with a whole document. */
export const fittedQuery = (query: string): string => firstChars(clean(query) || '?', QUERY_CHARS_MAX);
