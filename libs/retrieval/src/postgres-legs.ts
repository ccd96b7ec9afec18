import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { readPrepared, readRows } from '@cairn/persistence';
import type { Pool } from 'pg';
import { scoredIds, type Candidate, type LegResult } from './candidate.js';
import { assertEfSearch, vectorParameter, type EmbeddedQuery } from './query-vector.js';
import { CURRENT_CHUNKS, type ChunkFilter } from './chunk-filter.js';

export interface LegRequest {
  readonly reader: FolderReader;
  readonly filter?: ChunkFilter;
  readonly limit: number;
}

const HIT = 'chunk_id as "chunkId", item_id as "itemId", score';
const VECTOR = `select ${HIT} from retrieval.vector_leg($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`;
const WORDS = 'select * from retrieval.word_legs($1, $2, $3, $4, $5, $6, $7, $8)';

interface WordLists {
  readonly fulltext_ids: string | null;
  readonly fulltext_scores: string | null;
  readonly title_ids: string | null;
  readonly title_scores: string | null;
}

const valuesOf = ({ reader, filter = CURRENT_CHUNKS, limit }: LegRequest, values: readonly unknown[]): unknown[] => {
  const { includeSuperseded, includeExpired, tags } = filter;
  return [...folderReaderValues(reader), includeSuperseded, includeExpired, tags, ...values, limit];
};

/** The legs that read Postgres in every profile, in one round trip for vectors and one for words. */
export class PostgresLegs {
  constructor(private readonly pool: Pool) {}

  async vector(query: EmbeddedQuery, efSearch: number, request: LegRequest): Promise<Candidate[]> {
    assertEfSearch(efSearch);
    if (seesNothing(request.reader)) return [];
    const values = valuesOf(request, [query.model, vectorParameter(query.vector), efSearch]);
    return readRows<Candidate>(this.pool, VECTOR, values);
  }

  /** By item, unlike the other legs. */
  async words(query: string, request: LegRequest): Promise<LegResult[]> {
    if (seesNothing(request.reader)) return [];
    const [lists] = await readPrepared<WordLists>(this.pool, WORDS, valuesOf(request, [query]));
    return [
      { leg: 'fulltext', hits: scoredIds(lists!.fulltext_ids, lists!.fulltext_scores) },
      { leg: 'title', hits: scoredIds(lists!.title_ids, lists!.title_scores) },
    ];
  }
}
