import { notFound } from '@cairn/access';
import { MERGE_ANCHORS_MAX, REVIEWED_TOGETHER_MAX, type QueryAnswer } from '@cairn/contracts';
import type { QueryResultRow } from 'pg';
import type { EdgeRow } from './edge-view.js';
import { graphRows, type GraphContext } from './graph-context.js';
import { suggestedMerges } from './suggested-merges.js';

type StatingRow = Pick<EdgeRow, 'chunk_id' | 'item_id' | 'ref_hash'>;

/**
 * The chunks that state an edge, one page of them, or the chunk that a suggested merge is anchored in; also what was judged
 * before.
 */
export const locateEdge = async (
  context: GraphContext,
  edgeId: string,
  after?: string,
): Promise<QueryAnswer<'edge.locate'>> => {
  const values = [edgeId, after ?? null, REVIEWED_TOGETHER_MAX + 1];
  const rows = await graphRows<StatingRow>(context, 'graph_edge_chunks', values);
  if (rows.length > 0 || after !== undefined) {
    const page = rows.slice(0, REVIEWED_TOGETHER_MAX);
    return {
      evidence: page.map((row) => ({
        itemId: row.item_id,
        chunkId: row.chunk_id,
        edgeRef: row.ref_hash.toString('hex'),
      })),
      ...(rows.length > page.length && { next: page.at(-1)!.chunk_id }),
    };
  }
  const { waiting, judged } = await suggestedMerges(context);
  const merge = [...waiting, ...judged].find(({ id }) => id === edgeId);
  if (!merge) throw notFound('edge');
  return { evidence: [merge.evidence] };
};

interface PlaceRow extends QueryResultRow {
  readonly chunk_id: string;
  readonly item_id: string;
  readonly surface: string;
}

/** Where the own name of an entity stands, newest first; its own also where it is an alias by now. */
export const locateEntity = async (context: GraphContext, entityId: string): Promise<QueryAnswer<'entity.locate'>> => {
  const [own] = await graphRows<{ key: string } & QueryResultRow>(context, 'graph_key_of', [entityId]);
  if (!own) throw notFound('entity');
  const rows = await graphRows<PlaceRow>(context, 'graph_places', [[own.key], MERGE_ANCHORS_MAX]);
  return { anchors: rows.map((row) => ({ itemId: row.item_id, chunkId: row.chunk_id, name: row.surface })) };
};
