import { fail, ITEM_TEXT_CHARS_MAX } from '@cairn/contracts';
import { pageFile } from '@cairn/connectors';
import type { DocumentParser, ParsedDocument, ParserCaller } from '@cairn/documents';
import { AppError } from '@cairn/kernel';
import type { PagePort, WebPage } from '@cairn/mcp-tools';
import type { FetchedFile } from '@cairn/web-fetch';
import { Bulkhead } from '../cairn/bulkhead.js';
import type { Caller } from '../cairn/cairn-client.js';

export type FetchPage = (url: string) => Promise<FetchedFile>;

/** A parser's message is about an uploaded file; here the source is a page, and the field is `url`. */
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

/** For installations without outgoing access (`CAIRN_FETCH_URLS`). */
export const refuseToFetch: FetchPage = () =>
  Promise.reject(
    fail('url.refused', 'this installation fetches no pages; send the text with kind text instead', { field: 'url' }),
  );

/** Reads pages as text, a few at a time per workspace. */
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
    const { name: fileName, bytes } = pageFile(file);
    try {
      return await this.parser.parse({ fileName, bytes }, caller);
    } catch (thrown) {
      throw failureOf(thrown, file.mediaType);
    }
  }
}
