import {
  GRAPH_EDGES_MAX,
  GRAPH_NODES_MAX,
  Uuid,
  type GraphWalk,
  type Placed,
  type QueryData,
  type WalkedEdge,
  type WalkedNode,
} from '@cairn/contracts';
import { entityKey, walkEntities, type EntityClass, type ReachedEdge } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { refOf, seenEntities, type SeenEntity } from './entity-views.js';
import { findClasses } from './matched-names.js';
import { postgresEdges, type StatedIn } from './edge-hops.js';
import { classesOf, graphRows, type GraphContext } from './graph-context.js';
import { placementsOf } from './placements.js';

export const EVIDENCE_SHOWN_MAX = 3;
/** Suggestions for an unknown name. */
const CANDIDATES_SHOWN_MAX = 5;

type Walked = Omit<GraphWalk, 'stale'>;

/** The entity of a name or an id, if the reader may see a mention of it. */
export const entityOf = async (
  context: GraphContext,
  given: string,
  mentionsMax?: number,
): Promise<SeenEntity | undefined> => {
  const key = Uuid.safeParse(given.trim()).success
    ? (await graphRows<{ key: string } & QueryResultRow>(context, 'graph_key_of', [given.trim().toLowerCase()]))[0]?.key
    : entityKey(given);
  if (key === undefined) return undefined;
  const entity = (await classesOf(context, [key])).get(key)!;
  return (await seenEntities(context, [entity], mentionsMax)).get(entity.key);
};

const unknown = async (context: GraphContext, given: string): Promise<Walked> => {
  const found = (await findClasses(context, given)).slice(0, CANDIDATES_SHOWN_MAX).map(({ entity }) => entity);
  const seen = await seenEntities(context, found, 0);
  return {
    entity: null,
    candidates: found.flatMap(({ key }) => seen.get(key) ?? []).map(refOf),
    nodes: [],
    edges: [],
    truncated: false,
    dropped: { confidence: 0, sourceKind: 0 },
  };
};

/** The edge shows the id and the source kind of its best evidence. */
const shownEdge = (
  edge: ReachedEdge<StatedIn>,
  idOf: (key: string) => string,
  placed: ReadonlyMap<string, Placed['placement']>,
): WalkedEdge => {
  const { from, to, predicate, confidence, hop, evidence, evidenceCount } = edge;
  const [best] = evidence;
  return {
    id: best!.edgeId,
    from: idOf(from),
    to: idOf(to),
    predicate,
    confidence,
    sourceKind: best!.sourceKind,
    reviewed: best!.reviewed,
    hop,
    evidence: evidence.slice(0, EVIDENCE_SHOWN_MAX).map(({ folderId, itemId, chunkId, position }) => {
      const placement = placed.get(folderId);
      return { folderId, ...(placement && { placement }), itemId, chunkId, position };
    }),
    evidenceCount,
  };
};

/** Walks the graph from an entity, only along edges, entities and names that the reader may see. */
export const walkGraph = async (context: GraphContext, query: QueryData<'graph.walk'>): Promise<Walked> => {
  // A walk shows no numbers of mentions, so none are counted.
  const start = await entityOf(context, query.entity, 0);
  if (!start) return unknown(context, query.entity);
  const { depth, minConfidence, sourceKinds } = query;
  const limits = { depth, nodesMax: GRAPH_NODES_MAX, edgesMax: GRAPH_EDGES_MAX, evidenceMax: EVIDENCE_SHOWN_MAX };
  const walk = await walkEntities(start.entity, postgresEdges(context, { minConfidence, sourceKinds }), limits);
  const reached = walk.nodes.map(({ entity }) => entity);
  const seen = await seenEntities(context, reached, 0);
  const isSeen = ({ key }: EntityClass): boolean => seen.has(key);
  const edges = walk.edges.filter(({ from, to }) => seen.has(from) && seen.has(to));
  const placed = await placementsOf(
    context,
    edges.flatMap(({ evidence }) => evidence.map(({ folderId }) => folderId)),
  );
  return {
    entity: refOf(start),
    nodes: walk.nodes
      .filter(({ entity }) => isSeen(entity))
      .map(({ entity, hop }): WalkedNode => ({ ...refOf(seen.get(entity.key)!), hop })),
    edges: edges.map((edge) => shownEdge(edge, (key) => seen.get(key)!.id, placed)),
    truncated: walk.truncated,
    dropped: walk.dropped,
  };
};
