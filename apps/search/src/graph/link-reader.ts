import { readerOf } from '@cairn/access';
import { type Page, type Principal, type QueryAnswer, type QueryData } from '@cairn/contracts';
import { itemLinks, walkLinks, type ItemLink, type KeyOpener } from '@cairn/retrieval';
import type { ParsedRequest } from '@cairn/messaging';
import type { Pool } from 'pg';
import { ID_KEY, pageOf, readCursor } from '../cursor.js';
import type { Freshness } from '../retrieval/freshness.js';
import type { SearchTurns } from '../retrieval/search-turns.js';

type Listed = QueryAnswer<'links.list'>['items'][number];

const viewOf =
  ({ workspaceId }: Principal, itemId: string) =>
  ({ tier, ...link }: ItemLink): Listed => ({
    ...link,
    direction: link.fromItemId === itemId ? 'out' : 'in',
    placement: { workspaceId, tier },
  });

export interface LinkReaderOptions {
  readonly pool: Pool;
  /** For the statements of walks, which take turns. */
  readonly searchPool: Pool;
  readonly vault: KeyOpener;
  readonly turns: SearchTurns;
  /** Freshness of the projection that reads links from texts. */
  readonly freshness: Pick<Freshness, 'reached'>;
}

/** Links between memories, as their readers see them. */
export class LinkReader {
  constructor(private readonly options: LinkReaderOptions) {}

  async list({ principal, data, atLeast }: ParsedRequest<QueryData<'links.list'>>): Promise<Page<Listed>> {
    const { itemId, limit, cursor, surface } = data;
    const after = readCursor(cursor, ID_KEY);
    await this.options.freshness.reached(atLeast);
    const links = await itemLinks(this.options.pool, readerOf(principal, surface), { itemId, after, max: limit + 1 });
    return pageOf(links, limit, ({ id }) => id, viewOf(principal, itemId));
  }

  /** For MCP tools only, so nothing of a sensitive folder is walked. */
  async walk({ principal, data, atLeast }: ParsedRequest<QueryData<'links.walk'>>): Promise<QueryAnswer<'links.walk'>> {
    const { searchPool: pool, vault, turns, freshness } = this.options;
    const isFresh = await freshness.reached(atLeast);
    const context = { pool, vault, inTurn: turns.of(principal), nowMs: () => performance.now() };
    const answer = await walkLinks(context, { ...data, reader: readerOf(principal, 'mcp') });
    return { ...answer, stale: !isFresh };
  }
}
