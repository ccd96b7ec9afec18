import { ITEM_TEXT_CHARS_MAX, ITEM_TITLE_CHARS_MAX, QUERY_CHARS_MAX } from '@cairn/contracts';

/** The text as Cairn stores it: NFC, without NUL and lone surrogates, which no text may contain. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\u0000', ' ').normalize('NFC').trim();

/** A character has at most two code units, so the rest of a very long text need not be normalised. */
const firstChars = (text: string, max: number): string =>
  text.length <= max
    ? text
    : Array.from(text.slice(0, 2 * max))
        .slice(0, max)
        .join('');

/**
 * A document of a published set as Cairn can store it. Such sets contain documents without a text, without a title, or
 * above every limit. Missing parts are taken from the others; long parts are cut.
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

/** Some sets use a whole document as a query. */
export const fittedQuery = (query: string): string => firstChars(clean(query) || '?', QUERY_CHARS_MAX);
