import { fail } from '@cairn/contracts';
import type { WebPage, PagePort } from './page.port.js';

/** The web as a map. */
export class InMemoryPages implements PagePort {
  private readonly pages: ReadonlyMap<string, WebPage>;

  constructor(pages: readonly WebPage[] = []) {
    this.pages = new Map(pages.map((page) => [page.url, page]));
  }

  async read(url: string): Promise<WebPage> {
    const page = this.pages.get(url);
    if (!page) throw fail('url.unreachable', 'the site gave no complete answer', { field: 'url' });
    return Promise.resolve(page);
  }
}
