/**
 * Files as text: `.txt .md .csv .json .html .pdf .docx` become the text of an item, with the lines, headings and pages
 * that the chunker looks for.
 * Refuses to guess (an unknown extension, a wrong content or an unknown encoding is an error that says so), to read
 * what somebody else has formatted inside the calling process (ADR 0019), to touch the disk and to fetch anything.
 */
export { DOCUMENT_FORMATS, formatOf, type DocumentFormat } from './document-format.js';
export { DocumentParser, type DocumentFile, type ParserCaller, type ParserLimits } from './document-parser.js';
export { fileItem, type FileItem } from './file-item.js';
export { type ParsedDocument } from './parsed-document.js';
export { decodeAs } from './text-encoding.js';
