import { ITEM_TEXT_CHARS_MAX } from '@cairn/contracts';
import { getDocumentProxy } from 'unpdf';
import { unreadable } from './document-format.js';
import type { RawDocument } from './parsed-document.js';
import { givenTitle } from './pdf-title.js';
import { tooMuchText } from './text-encoding.js';

type Pdf = Awaited<ReturnType<typeof getDocumentProxy>>;

const open = async (bytes: Uint8Array): Promise<Pdf> => {
  try {
    // A copy, because the parser takes ownership of the memory.
    return await getDocumentProxy(Uint8Array.from(bytes), { verbosity: 0 });
  } catch (thrown) {
    if (thrown instanceof Error && thrown.name === 'PasswordException')
      throw unreadable('the PDF is encrypted; save it without a password', thrown);
    throw unreadable('the PDF is damaged', thrown);
  }
};

const pageText = async (pdf: Pdf, number: number): Promise<string> => {
  const page = await pdf.getPage(number);
  const { items } = await page.getTextContent();
  page.cleanup();
  const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
  // A form feed in the text would look like the end of a page.
  return text
    .replaceAll('\f', ' ')
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
};

const titleOf = async (pdf: Pdf): Promise<string | undefined> => {
  const { info } = await pdf.getMetadata();
  const { Title: title } = info as { readonly Title?: unknown };
  return typeof title === 'string' ? givenTitle(title) : undefined;
};

/** The text layer, page by page, with a form feed between pages. */
export const readPdf = async (bytes: Uint8Array): Promise<RawDocument> => {
  const pdf = await open(bytes);
  const pages: string[] = [];
  let units = 0;
  for (let number = 1; number <= pdf.numPages; number++) {
    const text = await pageText(pdf, number);
    pages.push(text);
    units += text.length;
    // A character has at most two code units, so this length certainly exceeds the limit.
    if (units > 2 * ITEM_TEXT_CHARS_MAX) throw tooMuchText();
  }
  const text = pages.join('\f');
  if (text.trim() === '') throw unreadable('the PDF has no text, only images perhaps; run OCR on it first');
  return { text, title: await titleOf(pdf) };
};
