import type { Pool } from 'pg';
import type { Candidate } from './candidate.js';
import { assertEfSearch, vectorParameter, type EmbeddedQuery } from './query-vector.js';
import { readRows } from './read-rows.js';
import { CURRENT_CHUNKS, isClosed, type ChunkFilter, type SearchScope } from './scope.js';

export interface LegRequest {
  readonly scope: SearchScope;
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
    const { scope, filter = CURRENT_CHUNKS, limit } = request;
    if (isClosed(scope)) return [];
    const { includeSuperseded, includeExpired, tags } = filter;
    const who = [scope.workspaceId, scope.folderIds, scope.seesSensitive];
    return readRows<Candidate>(this.pool, sql, [...who, includeSuperseded, includeExpired, tags, ...values, limit]);
  }
}
