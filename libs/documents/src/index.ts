/**
 * Turns files (`.txt .md .csv .json .html .pdf .docx`) into the text of an item, with the lines, headings and pages that
 * the chunker uses.
 * Never guesses: an unknown extension, mismatched content or an unknown encoding is an error. Never parses untrusted
 * formats in the calling process (ADR 0019), touches the disk or fetches anything.
 */
export { DOCUMENT_FORMATS, formatOf, type DocumentFormat } from './document-format.js';
export { DocumentParser, type DocumentFile, type ParserCaller, type ParserLimits } from './document-parser.js';
export { fileItem, type FileItem } from './file-item.js';
export { type ParsedDocument } from './parsed-document.js';
export { decodeAs } from './text-encoding.js';
