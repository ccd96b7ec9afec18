import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { readPrepared } from '@cairn/persistence';
import type { Pool } from 'pg';
import { scoredIds, type Candidate, type LegResult } from './candidate.js';
import { CURRENT_CHUNKS, type ChunkFilter } from './chunk-filter.js';
import { proposalValues, reportUse, type ProposalUseRow } from './proposal-values.js';
import { assertEfSearch, vectorParameter, type EmbeddedQuery } from './query-vector.js';
import type { Proposal } from './vector-candidates.port.js';

export interface LegRequest {
  readonly reader: FolderReader;
  readonly filter?: ChunkFilter;
  readonly limit: number;
}

export interface VectorRequest extends LegRequest {
  readonly proposal?: Proposal | undefined;
}

interface NearestLists extends ProposalUseRow {
  readonly chunk_ids: string | null;
  readonly item_ids: string | null;
  readonly scores: string | null;
}

const NEAREST = 'select * from retrieval.nearest_leg($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)';
const WORDS = 'select * from retrieval.word_legs($1, $2, $3, $4, $5, $6, $7, $8)';

interface WordLists {
  readonly fulltext_ids: string | null;
  readonly fulltext_scores: string | null;
  readonly title_ids: string | null;
  readonly title_scores: string | null;
}

const scopeValues = ({ reader, filter = CURRENT_CHUNKS }: LegRequest): readonly unknown[] => [
  ...folderReaderValues(reader),
  ...[filter.includeSuperseded, filter.includeExpired, filter.tags],
];

const candidatesOf = ({ chunk_ids: chunkIds, item_ids: itemIds, scores }: NearestLists): Candidate[] => {
  if (!chunkIds || !itemIds || !scores) return [];
  const [itemOf, scoreOf] = [itemIds.split(','), scores.split(',')];
  return chunkIds.split(',').map((chunkId, i) => ({ chunkId, itemId: itemOf[i]!, score: Number(scoreOf[i]) }));
};

/** The legs that read Postgres in every profile, in one round trip for vectors and one for words. */
export class PostgresLegs {
  constructor(private readonly pool: Pool) {}

  async vector(query: EmbeddedQuery, efSearch: number, request: VectorRequest): Promise<Candidate[]> {
    assertEfSearch(efSearch);
    const { reader, limit, proposal } = request;
    if (seesNothing(reader)) return [];
    const [lists] = await readPrepared<NearestLists>(this.pool, NEAREST, [
      ...scopeValues(request),
      ...[query.model, vectorParameter(query.vector), efSearch, limit],
      ...proposalValues(proposal),
    ]);
    reportUse(proposal, lists);
    return candidatesOf(lists!);
  }

  /** By item, unlike the other legs. */
  async words(query: string, request: LegRequest): Promise<LegResult[]> {
    if (seesNothing(request.reader)) return [];
    const values = [...scopeValues(request), query, request.limit];
    const [lists] = await readPrepared<WordLists>(this.pool, WORDS, values);
    return [
      { leg: 'fulltext', hits: scoredIds(lists!.fulltext_ids, lists!.fulltext_scores) },
      { leg: 'title', hits: scoredIds(lists!.title_ids, lists!.title_scores) },
    ];
  }
}
