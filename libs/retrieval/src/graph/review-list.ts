import { REVIEW_ENTRIES_MAX, SNIPPET_CHARS, type PlacedReview, type ReviewKind } from '@cairn/contracts';
import { FUNCTIONAL_PREDICATES, placeOfName, SAME_AS, type MergeSuggestion } from '@cairn/graph';
import { loadWinners, type Winner } from '../winners.js';
import { endsOf, type EdgeRow } from './edge-view.js';
import { graphRows, type GraphContext } from './graph-context.js';
import { sentenceWith } from './snippet-at.js';
import { suggestedMerges } from './suggested-merges.js';

const CONFLICT_CONFIDENCE_MIN = 0.5;

/** An entry before its texts are decrypted: its place in the order, and how to show it. */
interface Waiting {
  readonly id: string;
  readonly kind: ReviewKind;
  readonly position: number;
  readonly chunkId: string;
  readonly names: readonly string[];
  readonly fields: Omit<PlacedReview, 'sentence' | 'itemId' | 'chunkId' | 'folderId' | 'placement'>;
}

const edgeFields = (row: EdgeRow, ends: NonNullable<ReturnType<Awaited<ReturnType<typeof endsOf>>>>) => {
  const { subject, subjectId, object, objectId } = ends;
  return { subject, subjectId, predicate: row.predicate, object, objectId, confidence: row.confidence };
};

const waitingEdge = (
  row: EdgeRow,
  kind: 'edge' | 'conflict',
  ends: NonNullable<ReturnType<Awaited<ReturnType<typeof endsOf>>>>,
  reason: string,
): Waiting => ({
  id: row.id,
  kind,
  position: Number(row.position),
  chunkId: row.chunk_id,
  names: [ends.subject, ends.object],
  fields: { id: row.id, kind, ...edgeFields(row, ends), reason },
});

const ambiguousEdges = async (context: GraphContext): Promise<Waiting[]> => {
  const rows = await graphRows<EdgeRow>(context, 'graph_ambiguous', [REVIEW_ENTRIES_MAX]);
  const named = await endsOf(context, rows);
  return rows.flatMap((row) => {
    const ends = named(row.subject_key, row.object_key);
    return ends && ends.subjectId !== ends.objectId
      ? [waitingEdge(row, 'edge', ends, 'The text does not state this with certainty.')]
      : [];
  });
};

/** One entry for each of the contradicting objects, so that either can be judged. */
const conflicts = async (context: GraphContext): Promise<Waiting[]> => {
  const values = [[...FUNCTIONAL_PREDICATES], CONFLICT_CONFIDENCE_MIN, REVIEW_ENTRIES_MAX];
  const rows = await graphRows<EdgeRow>(context, 'graph_functional', values);
  const named = await endsOf(context, rows);
  const groups = new Map<string, Map<string, { row: EdgeRow; ends: NonNullable<ReturnType<typeof named>> }>>();
  for (const row of rows) {
    const ends = named(row.subject_key, row.object_key);
    if (!ends) continue;
    const group = `${ends.subjectId}|${row.predicate}`;
    const objects = groups.get(group) ?? new Map<string, { row: EdgeRow; ends: typeof ends }>();
    // Keeps the newest row of each object, since rows come newest first.
    if (!objects.has(ends.objectId)) objects.set(ends.objectId, { row, ends });
    groups.set(group, objects);
  }
  return [...groups.values()]
    .filter((objects) => objects.size > 1)
    .flatMap((objects) =>
      [...objects.values()].map(({ row, ends }) => {
        const others = [...objects.values()]
          .filter((other) => other.row.id !== row.id)
          .map((other) => other.ends.object);
        return waitingEdge(
          row,
          'conflict',
          ends,
          `Another text says: ${row.predicate.replaceAll('_', ' ')} ${others.join(', ')}.`,
        );
      }),
    );
};

const REASONS: Readonly<Record<MergeSuggestion['reason'], string>> = {
  part_of_name: 'One name is part of the other, and of no other name.',
  similar_spelling: 'The two names are spelled almost alike.',
};

const merges = async (context: GraphContext): Promise<Waiting[]> =>
  (await suggestedMerges(context)).waiting.map(({ id, alias, canonical, reason }) => ({
    id,
    kind: 'merge',
    position: alias.position,
    chunkId: alias.example.chunkId,
    names: [alias.name],
    fields: {
      id,
      kind: 'merge',
      subject: alias.name,
      subjectId: alias.id,
      predicate: SAME_AS,
      object: canonical.name,
      objectId: canonical.id,
      reason: REASONS[reason],
    },
  }));

const LISTS: Readonly<Record<ReviewKind, (context: GraphContext) => Promise<Waiting[]>>> = {
  edge: ambiguousEdges,
  merge: merges,
  conflict: conflicts,
};

/** Newest first; the id orders entries of the same position. */
const isBefore = (a: Pick<Waiting, 'position' | 'id'>, b: Pick<Waiting, 'position' | 'id'>): boolean =>
  a.position > b.position || (a.position === b.position && a.id > b.id);

const shown = (entry: Waiting, winner: Winner): PlacedReview => {
  const holds = entry.names.map((name) => (sentence: string) => placeOfName(sentence, name) !== undefined);
  const { folderId, placement, itemId, chunkId, text } = winner;
  return {
    ...entry.fields,
    sentence: sentenceWith(text, holds, 2 * SNIPPET_CHARS),
    itemId,
    chunkId,
    folderId,
    ...(placement && { placement }),
  };
};

export interface ReviewPage {
  readonly items: readonly PlacedReview[];
  readonly next: Pick<Waiting, 'position' | 'id'> | undefined;
}

/** The entries that wait for a person, computed on request. */
export const reviewList = async (
  context: GraphContext,
  kind: ReviewKind | undefined,
  limit: number,
  after: Pick<Waiting, 'position' | 'id'> | undefined,
): Promise<ReviewPage> => {
  const kinds = kind === undefined ? (Object.keys(LISTS) as ReviewKind[]) : [kind];
  const all: Waiting[] = [];
  for (const one of kinds) all.push(...(await LISTS[one](context)));
  const waiting = all
    .filter((entry) => after === undefined || isBefore(after, entry))
    .toSorted((a, b) => (isBefore(a, b) ? -1 : 1));
  const page = waiting.slice(0, limit);
  const winners = await context.inTurn(() =>
    loadWinners(context.pool, context.vault, context.reader, [...new Set(page.map(({ chunkId }) => chunkId))]),
  );
  return {
    items: page.flatMap((entry) => {
      const winner = winners.get(entry.chunkId);
      return winner ? [shown(entry, winner)] : [];
    }),
    next: waiting.length > limit ? page.at(-1) : undefined,
  };
};
