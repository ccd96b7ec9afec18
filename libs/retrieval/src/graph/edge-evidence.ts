import type { EdgeEvidence, EdgeSourceKind, EdgeVerdict, Tier } from '@cairn/contracts';
import type { QueryResultRow } from 'pg';
import { graphRows, type GraphContext } from './graph-context.js';

interface EvidenceRow extends QueryResultRow {
  readonly id: string;
  readonly source_kind: EdgeSourceKind;
  readonly verdict: EdgeVerdict | null;
  readonly chunk_id: string;
  readonly item_id: string;
  readonly position: string;
  readonly folder_id: string;
  readonly tier: Tier;
}

/** A chunk that states an edge, with the data of its own row. */
export interface StatedIn {
  readonly edgeId: string;
  readonly sourceKind: EdgeSourceKind;
  readonly reviewed: EdgeVerdict | null;
  readonly evidence: EdgeEvidence;
}

/**
 * The chunks in which edges with these ids are stated, keyed by id. What was forgotten, hidden or rejected in the meantime
 * is missing.
 */
export const evidenceOf = async (
  context: GraphContext,
  ids: readonly string[],
  sourceKinds: readonly EdgeSourceKind[],
): Promise<ReadonlyMap<string, StatedIn>> => {
  if (ids.length === 0) return new Map();
  const { workspaceId } = context.reader;
  const rows = await graphRows<EvidenceRow>(context, 'graph_evidence', [[...new Set(ids)], sourceKinds]);
  return new Map(
    rows.map((row) => {
      const { id: edgeId, source_kind: sourceKind, verdict: reviewed, tier, position } = row;
      const placed = { folderId: row.folder_id, placement: { workspaceId, tier } };
      const evidence = { ...placed, itemId: row.item_id, chunkId: row.chunk_id, position: Number(position) };
      return [edgeId, { edgeId, sourceKind, reviewed, evidence }];
    }),
  );
};
