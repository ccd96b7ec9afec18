import type { ErrorCode } from '@cairn/contracts';
import type { ErrorDetails } from '@cairn/kernel';
import type { DocumentFormat } from './document-format.js';
import type { ParsedDocument } from './parsed-document.js';

export interface ParserJob {
  readonly format: DocumentFormat;
  readonly bytes: Uint8Array;
}

/** An error object does not survive the process border, so its parts are sent. */
export type ParserAnswer =
  | { readonly document: ParsedDocument }
  | { readonly refusal: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails } };
