import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { readPrepared } from '@cairn/persistence';
import { lexicalQuery } from '@cairn/projections';
import type { Pool } from 'pg';
import { scoredIds, type LegResult } from './candidate.js';
import { proposalValues, reportUse, type ProposalUseRow } from './proposal-values.js';
import { CHUNK_EF_SEARCH, vectorParameter, type EmbeddedQuery } from './query-vector.js';
import type { Proposal } from './vector-candidates.port.js';

interface LegLists extends ProposalUseRow {
  readonly vector_ids: string | null;
  readonly vector_scores: string | null;
  readonly bm25_ids: string | null;
  readonly bm25_scores: string | null;
}

const HYBRID = 'select * from retrieval.both_legs($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)';

/** An embedded query with the chunks that were proposed for it. */
export interface HybridQuery {
  readonly text: string;
  readonly embedded: EmbeddedQuery;
  readonly proposal?: Proposal | undefined;
}

/** Both legs of a hybrid chunk search in one statement, for the profile in which both read the same Postgres. */
export class PostgresHybridLegs {
  constructor(private readonly pool: Pool) {}

  async search({ text, embedded, proposal }: HybridQuery, reader: FolderReader, limit: number): Promise<LegResult[]> {
    if (seesNothing(reader)) return [];
    const [lists] = await readPrepared<LegLists>(this.pool, HYBRID, [
      ...folderReaderValues(reader),
      ...[embedded.model, vectorParameter(embedded.vector), CHUNK_EF_SEARCH, lexicalQuery(text), limit],
      ...proposalValues(proposal),
    ]);
    reportUse(proposal, lists);
    return [
      { leg: 'vector', hits: scoredIds(lists!.vector_ids, lists!.vector_scores) },
      { leg: 'bm25', hits: scoredIds(lists!.bm25_ids, lists!.bm25_scores) },
    ];
  }
}
