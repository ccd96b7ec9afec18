import { BODY_BYTES_MAX, QUERY_CHARS_MAX, ITEM_TITLE_CHARS_MAX } from '@cairn/contracts';

/** Half of what a request may have, since escapes take room too. */
const TEXT_BYTES_MAX = BODY_BYTES_MAX / 2;

/** What no text of Cairn's may hold: NUL, and halves of characters. */
const clean = (text: string): string => text.toWellFormed().replaceAll('\u0000', ' ').trim();

const firstChars = (text: string, max: number): string => Array.from(text).slice(0, max).join('');

const firstBytes = (text: string, max: number): string => {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  // A character that was cut in two becomes the mark of a broken one, which stands at the end and nowhere else.
  return bytes
    .subarray(0, max)
    .toString()
    .replace(/\ufffd+$/, '');
};

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
    text: firstBytes(text || title || document.id, TEXT_BYTES_MAX),
  };
};

/** Some sets ask with a whole document. */
export const fittedQuery = (query: string): string => firstChars(clean(query) || '?', QUERY_CHARS_MAX);
