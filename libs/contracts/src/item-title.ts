import { MEMORY_KINDS } from './confirmation-events.js';
import { DERIVED_TITLE_CHARS_MAX } from './limits.js';
import { cutAtWord } from './text.js';

/** The kinds of item that may be stored without a title; readers then derive one from the text (docs/adr/0041). */
export const UNTITLED_KINDS: readonly string[] = MEMORY_KINDS;
/** Stored in place of a title that was not given. */
export const NO_TITLE = '';
/** Earlier builds stored these placeholders instead. */
const PLACEHOLDERS: readonly string[] = [NO_TITLE, 'Untitled clip', 'Untitled conversation', 'Untitled text'];
/** Shown where no text is left to take a title from. */
const UNTITLED = 'Untitled';

/** White space and Markdown marks before the first words, such as those of a heading, a list or a quotation. */
const MARKS = /^(?:[#>*+\-=_~`]+(?=\s|$)|\s+)+/u;

/** A title from the beginning of a text: its first line with words, cut at a word. */
export const titleFrom = (text: string): string => {
  const [start] = (text.replace(MARKS, '') || text.trim()).split(/[\n\r\u0085\u2028\u2029]/u, 1);
  const line = start!.replace(/[\s\p{Cc}]+/gu, ' ').trim();
  return line === '' ? UNTITLED : cutAtWord(line, DERIVED_TITLE_CHARS_MAX);
};

/** The title that an item was stored with; undefined if readers derive one from its text. */
export const givenTitle = (stored: string): string | undefined => (PLACEHOLDERS.includes(stored) ? undefined : stored);

/** The title shown to readers. The first remaining text of the item is read only if there is no title. */
export const shownTitle = (stored: string, firstText: () => string | undefined): string => {
  const text = givenTitle(stored) === undefined ? firstText() : undefined;
  return text === undefined ? stored || UNTITLED : titleFrom(text);
};
