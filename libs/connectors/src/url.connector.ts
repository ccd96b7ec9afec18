import { ACCOUNT_URLS_MAX, asAppError, EXTERNAL_REF_CHARS_MAX, fail, text } from '@cairn/contracts';
import { publicUrl, type FetchedFile } from '@cairn/web-fetch';
import { z } from 'zod';
import { defineConnector, type Connector, type ConnectorManifest, type SourceEntry } from './connector.js';
import { pageFile } from './page-file.js';

const urlSettings = z.strictObject({
  urls: z.array(text(1, EXTERNAL_REF_CHARS_MAX)).min(1).max(ACCOUNT_URLS_MAX).describe('Public https pages.'),
});

export const URL_MANIFEST = {
  id: 'url',
  name: 'Web pages',
  capabilities: ['sync', 'hydrate:text'],
  multiAccount: true,
  retention: 'full',
  settings: urlSettings,
} as const satisfies ConnectorManifest;

export type FetchPage = (url: string) => Promise<FetchedFile>;

/** A page has no version to query: only its text reveals a change. */
const entryOf = (url: string): SourceEntry => ({ ref: url, title: url, uri: url, facts: { Page: url } });

/** The error names the faulty page. */
const hrefAt = (given: string, index: number): string => {
  try {
    return publicUrl(given).href;
  } catch (thrown) {
    const field = `settings.urls[${index}]`;
    const { message, details } = asAppError(thrown);
    throw fail('url.refused', message.replace(/^url/, field), { ...details, field });
  }
};

const hrefsOf = (urls: readonly string[]): string[] => [...new Set(urls.map(hrefAt))];

/** Pages that an admin lists, fetched by the same rules as any other web page (ADR 0020). */
export const urlConnector = (fetchPage: FetchPage): Connector =>
  defineConnector({
    manifest: URL_MANIFEST,
    check: async ({ urls }) => {
      hrefsOf(urls);
      return Promise.resolve();
    },
    list: ({ settings }, { limit, after }) => {
      const hrefs = hrefsOf(settings.urls);
      // A page that is no longer listed is not found, and the list starts again.
      const start = after === undefined ? 0 : hrefs.indexOf(after) + 1;
      return Promise.resolve(hrefs.slice(start, start + limit).map(entryOf));
    },
    hydrate: async (ref) => pageFile(await fetchPage(ref)),
  });
