import { asAppError, LEG_CANDIDATES } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { Pool } from 'pg';
import type { LexicalIndex } from './lexical-index.port.js';
import type { PostgresHybridSearch } from './postgres-hybrid-search.js';
import type { LegRequest, PostgresLegs } from './postgres-legs.js';
import type { EmbeddedQuery } from './query-vector.js';
import type { Candidate } from './candidate.js';
import type { Proposal, VectorCandidates } from './vector-candidates.port.js';
import type { KeyOpener } from './winners.js';

export type SearchStage = 'embed' | 'scan' | 'vector' | 'bm25' | 'hybrid' | 'words' | 'recall' | 'load';

/** The dependencies of a search. */
export interface SearchContext {
  readonly pool: Pool;
  readonly legs: PostgresLegs;
  readonly candidates: VectorCandidates;
  readonly lexical: LexicalIndex;
  /** Set if both legs of a hybrid search read the same Postgres: then one statement runs them and loads the winners. */
  readonly hybrid?: Pick<PostgresHybridSearch, 'search'> | undefined;
  readonly vault: KeyOpener;
  readonly embed: (query: string) => Promise<EmbeddedQuery>;
  /** Runs a database statement when it is this search's turn. */
  readonly inTurn: <T>(statement: () => Promise<T>) => Promise<T>;
  /** Receives how long each stage took. */
  readonly onStage: (stage: SearchStage, seconds: number) => void;
}

/** A leg that is unavailable: the others may answer without it. */
export interface Unavailable {
  readonly unavailable: AppError;
}

export const isUnavailable = (result: object): result is Unavailable => 'unavailable' in result;

/** Only an unavailable leg may be missing from an answer; a bug must not pass for an outage. */
export const orUnavailable = async <T>(leg: Promise<T>): Promise<T | Unavailable> => {
  try {
    return await leg;
  } catch (thrown) {
    const error = asAppError(thrown);
    if (error.kind !== 'unavailable') throw error;
    return { unavailable: error };
  }
};

export const timed = async <T>(context: SearchContext, stage: SearchStage, work: () => Promise<T>): Promise<T> => {
  const startMs = performance.now();
  try {
    return await work();
  } finally {
    context.onStage(stage, (performance.now() - startMs) / 1_000);
  }
};

/** A stage that queries the database: it waits for its turn, and the wait does not count as its time. */
export const statement = <T>(context: SearchContext, stage: SearchStage, work: () => Promise<T>): Promise<T> =>
  context.inTurn(() => timed(context, stage, work));

/** Chunks for a vector search, found before its statement waits for its turn. How many have a tag is not known in memory. */
export const proposed = async (
  context: SearchContext,
  query: EmbeddedQuery,
  { reader, filter, limit }: LegRequest,
): Promise<Proposal | undefined> =>
  filter && filter.tags.length > 0
    ? undefined
    : timed(context, 'scan', () => context.candidates.propose({ query, reader, limit }));

/** The vector leg, as a stage of a search. */
export const nearest = async (
  context: SearchContext,
  query: EmbeddedQuery,
  efSearch: number,
  request: LegRequest,
): Promise<Candidate[]> => {
  const proposal = await proposed(context, query, request);
  return statement(context, 'vector', () => context.legs.vector(query, efSearch, { ...request, proposal }));
};

/** Fusion needs more candidates than it returns: normalisation and ranks are computed over them. */
export const candidatesFor = (limit: number): number => Math.max(LEG_CANDIDATES, limit * 3);
