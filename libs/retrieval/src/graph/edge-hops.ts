import { GRAPH_EDGES_PER_NODE_MAX, type EdgeSourceKind } from '@cairn/contracts';
import type { EdgeSource, EntityClass, Hop, HopEdge } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { classesOf, graphRows, type GraphContext } from './graph-context.js';

interface HopRow extends QueryResultRow {
  readonly subject_key: string | null;
  readonly predicate: string;
  readonly object_key: string;
  readonly confidence: number;
  readonly evidence_count: number;
  /** The ids of its best rows, separated by commas. */
  readonly evidence_ids: string;
  readonly dropped_confidence: number;
  readonly dropped_kind: number;
  readonly is_cut: boolean;
}

const edgeOf = (row: HopRow): HopEdge<string> => ({
  subjectKey: row.subject_key!,
  predicate: row.predicate,
  objectKey: row.object_key,
  confidence: row.confidence,
  evidence: row.evidence_ids.split(','),
  evidenceCount: row.evidence_count,
});

export interface EdgeFilter {
  readonly minConfidence: number;
  readonly sourceKinds: readonly EdgeSourceKind[];
}

const hop = async (
  context: GraphContext,
  entities: readonly EntityClass[],
  edgesMax: number,
  { minConfidence, sourceKinds }: EdgeFilter,
): Promise<Hop<string>> => {
  const names = entities.flatMap(({ keys }, i) => keys.map((key) => ({ key, class: i })));
  const rows = await graphRows<HopRow>(context, 'graph_edges_at', [
    names.map(({ key }) => key),
    names.map((name) => name.class),
    sourceKinds,
    minConfidence,
    GRAPH_EDGES_PER_NODE_MAX,
    edgesMax,
  ]);
  const summary = rows.find((row) => row.subject_key === null)!;
  return {
    edges: rows.filter((row) => row.subject_key !== null).map(edgeOf),
    dropped: { confidence: summary.dropped_confidence, sourceKind: summary.dropped_kind },
    isCut: summary.is_cut,
  };
};

/**
 * The edges in the database that a reader may see, as the source of a walk. Their evidence consists of the ids of rows,
 * and the same id may occur twice.
 */
export const postgresEdges = (context: GraphContext, filter: EdgeFilter): EdgeSource<string> => ({
  classesOf: (keys) => classesOf(context, keys),
  hop: (entities, edgesMax) => hop(context, entities, edgesMax, filter),
});
