import type { SameName } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { classesOf, graphRows, type GraphContext } from '../graph/graph-context.js';
import type { ClaimGraph } from './verify-hypothesis.js';

interface PlaceRow extends QueryResultRow {
  readonly chunk_id: string;
}

/** The part of the graph that a claim needs, limited to what the reader may see. */
export const claimGraphOf = (context: GraphContext): ClaimGraph => ({
  chunksNaming: async (keys, limit) => {
    const classes = await classesOf(context, keys);
    const names = [...new Set([...classes.values()].flatMap((entity) => entity.keys))];
    const rows = await graphRows<PlaceRow>(context, 'graph_places', [names, limit]);
    return rows.map((row) => row.chunk_id);
  },
  sameNames: async (keys): Promise<SameName> => {
    const classes = await classesOf(context, keys);
    return (one, other) => {
      const [a, b] = [classes.get(one), classes.get(other)];
      return a !== undefined && a.key === b?.key;
    };
  },
});
