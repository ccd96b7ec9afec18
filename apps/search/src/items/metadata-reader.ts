import { readerOf } from '@cairn/access';
import type { ItemQueryAnswer, QueryData } from '@cairn/contracts';
import type { ParsedRequest } from '@cairn/messaging';
import { queryItems, type KeyOpener } from '@cairn/retrieval';
import type { Pool } from 'pg';
import type { GraphReader } from '../graph/graph-reader.js';
import type { Freshness } from '../retrieval/freshness.js';

/** Finds items by their metadata instead of their text. */
export class MetadataReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: KeyOpener,
    private readonly freshness: Freshness,
    private readonly graph: Pick<GraphReader, 'entityKeys'>,
  ) {}

  async query({ principal, data, atLeast }: ParsedRequest<QueryData<'items.query'>>): Promise<ItemQueryAnswer> {
    await this.freshness.reached(atLeast);
    const entityKeys = (name: string) => this.graph.entityKeys(principal, name, atLeast);
    return queryItems({ pool: this.pool, vault: this.vault, entityKeys }, data, readerOf(principal, 'mcp'));
  }
}
