import { lexicalQuery } from '@cairn/projections';
import type { Pool } from 'pg';
import type { Candidate } from './candidate.js';
import type { LexicalIndex } from './lexical-index.port.js';
import { readRows } from './read-rows.js';
import { isClosed, type SearchScope } from './scope.js';

const BM25 = `select chunk_id as "chunkId", item_id as "itemId", score
from retrieval.bm25_leg($1, $2, $3, $4, $5)
where score > 0`;

/** BM25 by pg_textsearch, for the standalone profile. */
export class PostgresLexicalIndex implements LexicalIndex {
  constructor(private readonly pool: Pool) {}

  async search(query: string, scope: SearchScope, limit: number): Promise<Candidate[]> {
    const words = lexicalQuery(query);
    if (isClosed(scope) || words === '') return [];
    const { workspaceId, folderIds, seesSensitive } = scope;
    return readRows<Candidate>(this.pool, BM25, [workspaceId, folderIds, seesSensitive, words, limit]);
  }
}
