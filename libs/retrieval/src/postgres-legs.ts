import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { readRows } from '@cairn/persistence';
import type { Pool } from 'pg';
import type { Candidate } from './candidate.js';
import { assertEfSearch, vectorParameter, type EmbeddedQuery } from './query-vector.js';
import { CURRENT_CHUNKS, type ChunkFilter } from './chunk-filter.js';

export interface LegRequest {
  readonly reader: FolderReader;
  readonly filter?: ChunkFilter;
  readonly limit: number;
}

const HIT = 'chunk_id as "chunkId", item_id as "itemId", score';
const VECTOR = `select ${HIT} from retrieval.vector_leg($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const FULLTEXT = `select ${HIT} from retrieval.fulltext_leg($1, $2, $3, $4, $5, $6, $7, $8)`;
const TITLE = `select ${HIT} from retrieval.title_leg($1, $2, $3, $4, $5, $6, $7, $8)`;

/** The legs that read Postgres in every profile. One round trip each. */
export class PostgresLegs {
  constructor(private readonly pool: Pool) {}

  vector(query: EmbeddedQuery, efSearch: number, request: LegRequest): Promise<Candidate[]> {
    assertEfSearch(efSearch);
    return this.run(VECTOR, request, [query.model, vectorParameter(query.vector), efSearch]);
  }

  fulltext(query: string, request: LegRequest): Promise<Candidate[]> {
    return this.run(FULLTEXT, request, [query]);
  }

  title(query: string, request: LegRequest): Promise<Candidate[]> {
    return this.run(TITLE, request, [query]);
  }

  private async run(sql: string, request: LegRequest, values: readonly unknown[]): Promise<Candidate[]> {
    const { reader, filter = CURRENT_CHUNKS, limit } = request;
    if (seesNothing(reader)) return [];
    const { includeSuperseded, includeExpired, tags } = filter;
    return readRows<Candidate>(this.pool, sql, [
      ...folderReaderValues(reader),
      ...[includeSuperseded, includeExpired, tags],
      ...values,
      limit,
    ]);
  }
}
