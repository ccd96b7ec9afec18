import { decodeAs, type DocumentFormat } from '@cairn/documents';
import type { FetchedFile } from '@cairn/web-fetch';
import type { SourceFile } from './connector.js';

/** Maps the content types that `libs/web-fetch` accepts to the parsers' names for them. */
const FORMATS: Readonly<Record<string, DocumentFormat>> = {
  'text/html': 'html',
  'text/plain': 'txt',
  'text/markdown': 'md',
  'text/csv': 'csv',
  'application/json': 'json',
  'application/pdf': 'pdf',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document': 'docx',
};
const BINARY: readonly DocumentFormat[] = ['pdf', 'docx'];

/**
 * The parsers read UTF-8 and encodings that a file declares itself. An encoding that only the site's response names is
 * converted here.
 */
const inUtf8 = (format: DocumentFormat, { bytes, charset }: FetchedFile): Uint8Array => {
  if (BINARY.includes(format) || charset === undefined) return bytes;
  try {
    return Buffer.from(decodeAs(charset, bytes));
  } catch {
    return bytes;
  }
};

/** A fetched page as a file for a parser. */
export const pageFile = (file: FetchedFile): SourceFile => {
  const format = FORMATS[file.mediaType] ?? 'txt';
  return { name: `page.${format}`, bytes: inUtf8(format, file) };
};
