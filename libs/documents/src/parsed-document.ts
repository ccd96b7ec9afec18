import type { DocumentFormat } from './document-format.js';

export interface ParsedDocument {
  readonly format: DocumentFormat;
  /** As the document itself says; plain text has none. */
  readonly title?: string;
  readonly text: string;
}

/** What a reader of one format finds, before it is cleaned and measured. */
export interface RawDocument {
  readonly title?: string | undefined;
  readonly text: string;
}
