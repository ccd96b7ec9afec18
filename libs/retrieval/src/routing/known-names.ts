import { nameCandidates } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { graphRows, type GraphContext } from '../graph/graph-context.js';

interface KeyRow extends QueryResultRow {
  readonly key: string;
}

/** The keys of names in a query that are entities in the reader's view. */
export const knownNames = async (context: GraphContext, query: string): Promise<ReadonlySet<string>> => {
  const keys = nameCandidates(query).map(({ key }) => key);
  if (keys.length === 0) return new Set();
  const rows = await graphRows<KeyRow>(context, 'graph_known_keys', [keys]);
  return new Set(rows.map(({ key }) => key));
};
