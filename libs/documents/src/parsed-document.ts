import type { DocumentFormat } from './document-format.js';

export interface ParsedDocument {
  readonly format: DocumentFormat;
  /** The document's own title; plain text has none. */
  readonly title?: string;
  readonly text: string;
}

/** The result of a reader of one format, before cleaning and measuring. */
export interface RawDocument {
  readonly title?: string | undefined;
  readonly text: string;
}
