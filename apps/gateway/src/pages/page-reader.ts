import { fail, ITEM_TEXT_CHARS_MAX } from '@cairn/contracts';
import {
  decodeAs,
  type DocumentFormat,
  type DocumentParser,
  type ParsedDocument,
  type ParserCaller,
} from '@cairn/documents';
import { AppError } from '@cairn/kernel';
import type { PagePort, WebPage } from '@cairn/mcp-tools';
import type { FetchedFile } from '@cairn/web-fetch';
import { Bulkhead } from '../cairn/bulkhead.js';
import type { Caller } from '../cairn/cairn-client.js';

export type FetchPage = (url: string) => Promise<FetchedFile>;

/** How the parsers call what `libs/web-fetch` lets through. */
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

/** The parsers read UTF-8 and what a file declares itself; the encoding that only the site's answer names is undone here. */
const inUtf8 = (format: DocumentFormat, { bytes, charset }: FetchedFile): Uint8Array => {
  if (BINARY.includes(format) || charset === undefined) return bytes;
  try {
    return Buffer.from(decodeAs(charset, bytes));
  } catch {
    return bytes;
  }
};

/** A parser's message is about an uploaded file; here the source is a page, and the field is named url. */
const failureOf = (thrown: unknown, mediaType: string): unknown => {
  if (!(thrown instanceof AppError)) return thrown;
  const field = { field: 'url' };
  if (thrown.code === 'input.too_large') {
    const message = `the text of the page must have at most ${ITEM_TEXT_CHARS_MAX} characters`;
    return fail('url.too_large', message, { ...field, limit: ITEM_TEXT_CHARS_MAX }, thrown);
  }
  if (!thrown.code.startsWith('file.')) return thrown;
  return fail('url.unsupported', `the page has no text that can be read as ${mediaType}`, field, thrown);
};

/** For installations that must not reach out (`CAIRN_FETCH_URLS`). */
export const refuseToFetch: FetchPage = () =>
  Promise.reject(
    fail('url.refused', 'this installation fetches no pages; send the text with kind text instead', { field: 'url' }),
  );

/** Pages as text, a few at a time for each workspace. */
export class PageReader {
  private readonly bulkhead = new Bulkhead();

  constructor(
    private readonly fetchPage: FetchPage,
    private readonly parser: Pick<DocumentParser, 'parse'>,
  ) {}

  as({ principal }: Pick<Caller, 'principal'>): PagePort {
    return { read: (url) => this.bulkhead.run(principal.workspaceId, 'page', () => this.read(url, principal)) };
  }

  private async read(given: string, caller: ParserCaller): Promise<WebPage> {
    const file = await this.fetchPage(given);
    const { title, text } = await this.parse(file, caller);
    return { url: file.url, text, ...(title === undefined ? {} : { title }) };
  }

  private async parse(file: FetchedFile, caller: ParserCaller): Promise<ParsedDocument> {
    const format = FORMATS[file.mediaType] ?? 'txt';
    try {
      return await this.parser.parse({ fileName: `page.${format}`, bytes: inUtf8(format, file) }, caller);
    } catch (thrown) {
      throw failureOf(thrown, file.mediaType);
    }
  }
}
