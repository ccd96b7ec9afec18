import { fail } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

export const DOCUMENT_FORMATS = ['txt', 'md', 'csv', 'json', 'html', 'pdf', 'docx'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

const LIST = DOCUMENT_FORMATS.map((format) => `.${format}`).join(' ');

/** How far into a file `%PDF-` may start: PDF readers accept other bytes before it. */
const PDF_HEADER_WITHIN = 1_024;

export const unreadable = (message: string, cause?: unknown): AppError =>
  fail('file.unreadable', `the file cannot be read: ${message}`, { field: 'file' }, cause);

/** The format that the extension names. The client's media type is ignored, because it is often wrong. */
export const formatOf = (fileName: string): DocumentFormat => {
  const extension = /\.([^./\\]+)$/.exec(fileName)?.[1]?.toLowerCase();
  const format = DOCUMENT_FORMATS.find((known) => known === extension);
  if (format) return format;
  const found = extension === undefined ? 'a file without an extension' : `.${extension.slice(0, 20)}`;
  throw fail('file.unsupported', `${found} is not supported: use one of ${LIST}`, {
    field: 'file',
    limit: DOCUMENT_FORMATS,
  });
};

const startsWith = (bytes: Uint8Array, ...start: readonly number[]): boolean =>
  start.every((byte, i) => bytes[i] === byte);

const isPdf = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, PDF_HEADER_WITHIN)).includes('%PDF-');
const isZip = (bytes: Uint8Array): boolean => startsWith(bytes, 0x50, 0x4b, 0x03, 0x04);
const isOle = (bytes: Uint8Array): boolean => startsWith(bytes, 0xd0, 0xcf, 0x11, 0xe0);

/** A file whose first bytes belong to another format is refused before it reaches a parser. */
export const checkFirstBytes = (format: DocumentFormat, bytes: Uint8Array): void => {
  if (bytes.length === 0) throw unreadable('it is empty');
  if (format === 'pdf') {
    if (!isPdf(bytes)) throw unreadable('it is named .pdf but is no PDF');
    return;
  }
  if (format === 'docx') {
    if (isOle(bytes)) throw unreadable('it is protected by a password, or an old .doc; save it as a plain .docx');
    if (!isZip(bytes)) throw unreadable('it is named .docx but is no Word document');
    return;
  }
  if (startsWith(bytes, 0x25, 0x50, 0x44, 0x46, 0x2d) || isZip(bytes) || isOle(bytes))
    throw unreadable(`it is named .${format} but its content is not text`);
};
