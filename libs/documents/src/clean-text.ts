import { firstChars, ITEM_TEXT_CHARS_MAX, ITEM_TITLE_CHARS_MAX } from '@cairn/contracts';
import { unreadable } from './document-format.js';
import { tooMuchText } from './text-encoding.js';

/** Other line endings: simply dropping these control characters would join two lines. */
const LINE_ENDS = /\r\n?|\u0085/g;

/** Control characters other than tab, line feed and form feed have no meaning in a text. */
const CONTROLS = /[\u0000-\u0008\u000b\u000e-\u001f\u007f-\u009f]/g;

const cleaned = (text: string): string =>
  text.replace(LINE_ENDS, '\n').replace(CONTROLS, '').toWellFormed().normalize('NFC');

const hasMoreThan = (text: string, max: number): boolean => {
  if (text.length <= max) return false;
  if (text.length > 2 * max) return true;
  const highSurrogates = text.match(/[\ud800-\udbff]/g)?.length ?? 0;
  return text.length - highSurrogates > max;
};

/**
 * The text of a file as an item may hold it: lines end in LF, control characters are dropped (tab, line feed and form
 * feed stay), lone surrogates become U+FFFD, NFC. JSON callers are refused for such characters; a file is cleaned
 * instead, because users cannot edit a control character out of a PDF.
 */
export const cleanText = (text: string): string => {
  const clean = cleaned(text);
  if (hasMoreThan(clean, ITEM_TEXT_CHARS_MAX)) throw tooMuchText();
  if (clean.trim() === '') throw unreadable('it has no text');
  return clean;
};

/** One line, short enough for an item; undefined when it is empty. */
export const cleanTitle = (title: string | undefined): string | undefined => {
  const line = cleaned(title ?? '')
    .replace(/\s+/g, ' ')
    .trim();
  return firstChars(line, ITEM_TITLE_CHARS_MAX).trim() || undefined;
};
