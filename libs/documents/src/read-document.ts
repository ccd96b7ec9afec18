import { AppError } from '@cairn/kernel';
import { cleanText, cleanTitle } from './clean-text.js';
import { unreadable, type DocumentFormat } from './document-format.js';
import type { ParsedDocument, RawDocument } from './parsed-document.js';
import { decodeText } from './text-encoding.js';

type Reader = (bytes: Uint8Array) => RawDocument | Promise<RawDocument>;

/** Readers are loaded on first use of their format: parsing HTML needs no PDF engine. */
const READERS: Record<DocumentFormat, () => Promise<Reader>> = {
  txt: () => Promise.resolve(readPlain),
  md: () => Promise.resolve(readPlain),
  csv: async () => (await import('./csv.reader.js')).readCsv,
  json: async () => (await import('./json.reader.js')).readJson,
  html: async () => (await import('./html.reader.js')).readHtml,
  pdf: async () => (await import('./pdf.reader.js')).readPdf,
  docx: async () => (await import('./docx.reader.js')).readDocx,
};

const readPlain: Reader = (bytes) => ({ text: decodeText(bytes) });

const asRefusal = (thrown: unknown): AppError => {
  if (thrown instanceof AppError) return thrown;
  if (thrown instanceof RangeError) return unreadable('its content is nested too deep', thrown);
  return unreadable('its content is damaged', thrown);
};

/** Reads a file in the current process. Callers use `DocumentParser`, which isolates it. */
export const readDocument = async (format: DocumentFormat, bytes: Uint8Array): Promise<ParsedDocument> => {
  try {
    const read = await READERS[format]();
    const raw = await read(bytes);
    const title = cleanTitle(raw.title);
    return { format, text: cleanText(raw.text), ...(title === undefined ? {} : { title }) };
  } catch (thrown) {
    throw asRefusal(thrown);
  }
};
