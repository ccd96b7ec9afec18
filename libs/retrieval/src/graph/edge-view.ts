import { notFound } from '@cairn/access';
import { REVIEWED_TOGETHER_MAX, type EdgeSourceKind, type EdgeVerdict, type PlacedEdge } from '@cairn/contracts';
import type { QueryResultRow } from 'pg';
import { namedEntities } from './entity-views.js';
import { classesOf, distinctClasses, graphRows, type GraphContext } from './graph-context.js';
import { placementsOf } from './placements.js';

export interface EdgeRow extends QueryResultRow {
  readonly id: string;
  readonly ref_hash: Buffer;
  readonly subject_key: string;
  readonly predicate: string;
  readonly object_key: string;
  readonly confidence: number;
  readonly source_kind: EdgeSourceKind;
  readonly negated: boolean;
  readonly verdict: EdgeVerdict | null;
  readonly chunk_id: string;
  readonly item_id: string;
  readonly folder_id: string;
  readonly position: string;
}

/** Visible rows that state the same as the row with this id: confirmed ones first, rejected ones last. */
const edgeRows = (context: GraphContext, edgeId: string): Promise<EdgeRow[]> =>
  graphRows<EdgeRow>(context, 'graph_edge', [edgeId, REVIEWED_TOGETHER_MAX]);

/** The names of the two ends, in the form that the reader sees. */
export const endsOf = async (
  context: GraphContext,
  pairs: readonly { readonly subject_key: string; readonly object_key: string }[],
) => {
  const keys = [...new Set(pairs.flatMap((pair) => [pair.subject_key, pair.object_key]))];
  const classes = await classesOf(context, keys);
  const seen = await namedEntities(context, distinctClasses(classes));
  const named = (key: string) => seen.get(classes.get(key)!.key);
  return (subjectKey: string, objectKey: string) => {
    const [subject, object] = [named(subjectKey), named(objectKey)];
    if (!subject || !object) return undefined;
    return {
      subject: subject.name,
      subjectId: subject.id,
      subjectEntity: subject.entity.key,
      object: object.name,
      objectId: object.id,
      objectEntity: object.entity.key,
    };
  };
};

/** One edge with every chunk that states it, limited to those that the reader may see. */
export const edgeView = async (context: GraphContext, edgeId: string): Promise<PlacedEdge> => {
  const rows = await edgeRows(context, edgeId);
  const [best] = rows;
  if (!best) throw notFound('edge');
  const ends = (await endsOf(context, [best]))(best.subject_key, best.object_key);
  if (!ends) throw notFound('edge');
  const placed = await placementsOf(
    context,
    rows.map((row) => row.folder_id),
  );
  // One confirmation makes an edge certain; it is rejected only if every row is.
  const reviewed = best.verdict;
  const { subject, subjectId, object, objectId } = ends;
  return {
    id: edgeId,
    subject,
    subjectId,
    predicate: best.predicate,
    object,
    objectId,
    confidence: reviewed === 'confirmed' ? 1 : best.confidence,
    sourceKind: reviewed === 'confirmed' ? 'extracted' : best.source_kind,
    reviewed,
    evidence: rows.map((row) => {
      const placement = placed.get(row.folder_id);
      return {
        folderId: row.folder_id,
        ...(placement && { placement }),
        itemId: row.item_id,
        chunkId: row.chunk_id,
        position: Number(row.position),
      };
    }),
  };
};
