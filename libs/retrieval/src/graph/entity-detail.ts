import { notFound } from '@cairn/access';
import { EDGE_SOURCE_KINDS, ENTITY_ITEMS_MAX, type PlacedEntityDetail } from '@cairn/contracts';
import type { QueryResultRow } from 'pg';
import { loadWinners } from '../winners.js';
import { aliasesOf, seenEntities, viewOfEntity } from './entity-views.js';
import { graphRows, type GraphContext } from './graph-context.js';
import { classOf, walkGraph } from './walk-graph.js';

interface PlaceRow extends QueryResultRow {
  readonly chunk_id: string;
}

const mentionedIn = async (
  context: GraphContext,
  keys: readonly string[],
): Promise<PlacedEntityDetail['mentionedIn']> => {
  const rows = await graphRows<PlaceRow>(context, 'graph_places', [keys, ENTITY_ITEMS_MAX]);
  const ids = rows.map((row) => row.chunk_id);
  const found = await context.inTurn(() => loadWinners(context.pool, context.vault, context.reader, ids));
  return ids.flatMap((id) => {
    const winner = found.get(id);
    if (!winner) return [];
    const { folderId, placement, itemId, chunkId, title } = winner;
    return [{ folderId, ...(placement && { placement }), itemId, chunkId, title }];
  });
};

const edgesAt = async (context: GraphContext, entityId: string): Promise<PlacedEntityDetail['edges']> => {
  const query = { entity: entityId, depth: 1, minConfidence: 0, sourceKinds: [...EDGE_SOURCE_KINDS] };
  const { nodes, edges } = await walkGraph(context, { ...query, surface: 'mcp' });
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  return edges.map(({ id, from, to, predicate, confidence, sourceKind, reviewed, evidence }) => {
    const { folderId, placement } = evidence[0]!;
    return {
      folderId,
      ...(placement && { placement }),
      id,
      subject: names.get(from)!,
      subjectId: from,
      predicate,
      object: names.get(to)!,
      objectId: to,
      confidence,
      sourceKind,
      reviewed,
    };
  });
};

/** One entity with its edges and the items that mention it. */
export const entityDetail = async (context: GraphContext, entityId: string): Promise<PlacedEntityDetail> => {
  const entity = await classOf(context, entityId);
  const seen = entity && (await seenEntities(context, [entity])).get(entity.key);
  if (!seen) throw notFound('entity');
  const [aliases, edges, places] = await Promise.all([
    aliasesOf(context, [entity]),
    edgesAt(context, entityId),
    mentionedIn(context, entity.keys),
  ]);
  return { ...viewOfEntity(seen, aliases.get(entity.key) ?? []), edges, mentionedIn: places };
};
