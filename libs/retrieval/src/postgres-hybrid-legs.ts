import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { readPrepared } from '@cairn/persistence';
import { lexicalQuery } from '@cairn/projections';
import type { Pool } from 'pg';
import { scoredIds, type LegResult } from './candidate.js';
import { vectorParameter, type EmbeddedQuery } from './query-vector.js';

interface LegLists {
  readonly vector_ids: string | null;
  readonly vector_scores: string | null;
  readonly bm25_ids: string | null;
  readonly bm25_scores: string | null;
}

const HYBRID = 'select * from retrieval.hybrid_legs($1, $2, $3, $4, $5, $6, $7)';

/** Both legs of a hybrid chunk search in one statement, for the profile in which both read the same Postgres. */
export class PostgresHybridLegs {
  constructor(private readonly pool: Pool) {}

  async search(text: string, query: EmbeddedQuery, reader: FolderReader, limit: number): Promise<LegResult[]> {
    if (seesNothing(reader)) return [];
    const values = [...folderReaderValues(reader), query.model, vectorParameter(query.vector)];
    const [lists] = await readPrepared<LegLists>(this.pool, HYBRID, [...values, lexicalQuery(text), limit]);
    return [
      { leg: 'vector', hits: scoredIds(lists!.vector_ids, lists!.vector_scores) },
      { leg: 'bm25', hits: scoredIds(lists!.bm25_ids, lists!.bm25_scores) },
    ];
  }
}
