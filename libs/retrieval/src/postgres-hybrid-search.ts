import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { readPrepared } from '@cairn/persistence';
import { lexicalQuery } from '@cairn/projections';
import type { Pool } from 'pg';
import { scoredIds, type LegResult } from './candidate.js';
import { proposalValues, reportUse, type ProposalUseRow } from './proposal-values.js';
import { CHUNK_EF_SEARCH, vectorParameter, type EmbeddedQuery } from './query-vector.js';
import type { Proposal } from './vector-candidates.port.js';
import type { WinnerRow } from './winners.js';

/** The first row has both legs, each of the others a chunk that will probably be among the hits. */
interface LegsRow extends ProposalUseRow {
  readonly vector_ids: string | null;
  readonly vector_scores: string | null;
  readonly bm25_ids: string | null;
  readonly bm25_scores: string | null;
}

const HYBRID = 'select * from retrieval.hybrid_search($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)';

/** An embedded query with the chunks that were proposed for it. */
export interface HybridQuery {
  readonly text: string;
  readonly embedded: EmbeddedQuery;
  readonly proposal?: Proposal | undefined;
}

export interface HybridSizes {
  /** How many chunks each leg returns. */
  readonly candidates: number;
  /** How many will be chosen from them. */
  readonly hits: number;
}

export interface HybridFound {
  readonly results: readonly LegResult[];
  /** Rows of chunks that fusion will probably choose. */
  readonly likely: readonly WinnerRow[];
}

/** Both legs of a hybrid chunk search and its winners in one statement, for the profile with everything in one Postgres. */
export class PostgresHybridSearch {
  constructor(private readonly pool: Pool) {}

  async search(
    { text, embedded, proposal }: HybridQuery,
    reader: FolderReader,
    { candidates, hits }: HybridSizes,
  ): Promise<HybridFound> {
    if (seesNothing(reader)) return { results: [], likely: [] };
    const [legs, ...likely] = await readPrepared<LegsRow & WinnerRow>(this.pool, HYBRID, [
      ...folderReaderValues(reader),
      ...[embedded.model, vectorParameter(embedded.vector), CHUNK_EF_SEARCH, lexicalQuery(text), candidates, hits],
      ...proposalValues(proposal),
    ]);
    reportUse(proposal, legs);
    const results: LegResult[] = [
      { leg: 'vector', hits: scoredIds(legs?.vector_ids, legs?.vector_scores) },
      { leg: 'bm25', hits: scoredIds(legs?.bm25_ids, legs?.bm25_scores) },
    ];
    return { results, likely };
  }
}
