import {
  EVIDENCE_SHOWN_MAX,
  GRAPH_EDGES_MAX,
  GRAPH_NODES_MAX,
  Uuid,
  type GraphWalk,
  type QueryData,
  type WalkedEdge,
  type WalkedNode,
} from '@cairn/contracts';
import { entityKey, walkEntities, type EntityClass, type ReachedEdge } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { namedEntities, refOf, type NamedEntity } from './entity-views.js';
import { findClasses } from './matched-names.js';
import { evidenceOf, type StatedIn } from './edge-evidence.js';
import { postgresEdges } from './edge-hops.js';
import { classesOf, graphRows, type GraphContext } from './graph-context.js';

/** Suggestions for an unknown name. */
const CANDIDATES_SHOWN_MAX = 5;

type Walked = Omit<GraphWalk, 'stale'>;

const LIMITS = {
  nodesMax: GRAPH_NODES_MAX,
  edgesMax: GRAPH_EDGES_MAX,
  // Ids may occur twice in the evidence of an edge.
  evidenceMax: 2 * EVIDENCE_SHOWN_MAX,
};

/** The names of an entity that is given by name or by id. Whether the reader may see a mention is not checked here. */
export const classOf = async (context: GraphContext, given: string): Promise<EntityClass | undefined> => {
  const key = Uuid.safeParse(given.trim()).success
    ? (await graphRows<{ key: string } & QueryResultRow>(context, 'graph_key_of', [given.trim().toLowerCase()]))[0]?.key
    : entityKey(given);
  return key === undefined ? undefined : (await classesOf(context, [key])).get(key);
};

const unknown = async (context: GraphContext, given: string): Promise<Walked> => {
  const found = (await findClasses(context, given)).slice(0, CANDIDATES_SHOWN_MAX).map(({ entity }) => entity);
  const named = await namedEntities(context, found);
  return {
    entity: null,
    candidates: found.flatMap(({ key }) => named.get(key) ?? []).map(refOf),
    nodes: [],
    edges: [],
    truncated: false,
    dropped: { confidence: 0, sourceKind: 0 },
  };
};

/** The ids of the evidence that is shown. */
const bestOf = (ids: readonly string[]): string[] => [...new Set(ids)].slice(0, EVIDENCE_SHOWN_MAX);

/**
 * The edge shows the id and the source kind of its best evidence. Returns nothing for an edge whose evidence or ends were
 * hidden in the meantime.
 */
const shownEdge = (
  { from, to, predicate, confidence, hop, evidence: ids, evidenceCount }: ReachedEdge<string>,
  named: ReadonlyMap<string, NamedEntity>,
  evidence: ReadonlyMap<string, StatedIn>,
): WalkedEdge[] => {
  const [subject, object] = [named.get(from), named.get(to)];
  const stated = bestOf(ids).flatMap((id) => evidence.get(id) ?? []);
  const [best] = stated;
  if (!subject || !object || !best) return [];
  const { edgeId: id, sourceKind, reviewed } = best;
  return [
    {
      id,
      from: subject.id,
      to: object.id,
      predicate,
      confidence,
      sourceKind,
      reviewed,
      hop,
      evidence: stated.map((one) => one.evidence),
      evidenceCount,
    },
  ];
};

/** Walks the graph from an entity, only along edges, entities and names that the reader may see. */
export const walkGraph = async (context: GraphContext, query: QueryData<'graph.walk'>): Promise<Walked> => {
  const from = await classOf(context, query.entity);
  if (!from) return unknown(context, query.entity);
  const { depth, minConfidence, sourceKinds } = query;
  const source = postgresEdges(context, { minConfidence, sourceKinds });
  const walk = await walkEntities(from, source, { ...LIMITS, depth });
  const [named, evidence] = await Promise.all([
    namedEntities(
      context,
      walk.nodes.map(({ entity }) => entity),
    ),
    evidenceOf(
      context,
      walk.edges.flatMap((edge) => bestOf(edge.evidence)),
      sourceKinds,
    ),
  ]);
  const start = named.get(from.key);
  if (!start) return unknown(context, query.entity);
  const edges = walk.edges.flatMap((edge) => shownEdge(edge, named, evidence));
  // A node that only a hidden edge has reached would show that there was one.
  const reached = new Set([start.id, ...edges.flatMap((edge) => [edge.from, edge.to])]);
  const nodes = walk.nodes.flatMap(({ entity, hop }): WalkedNode[] => {
    const node = named.get(entity.key);
    return node && reached.has(node.id) ? [{ ...refOf(node), hop }] : [];
  });
  const { truncated, dropped } = walk;
  return { entity: refOf(start), nodes, edges, truncated, dropped };
};
