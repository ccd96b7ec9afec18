import { notFound, seesPlaced, type PlacedThing, type Reader } from '@cairn/access';
import type { FolderView, GraphWalk, QueryAnswer, QueryType } from '@cairn/contracts';

/** Reduces things to those that the reader may see, and removes the placement. */
type Look = <T extends PlacedThing>(things: readonly T[]) => T[];

const lookAtFolders = (folders: readonly FolderView[], look: Look): FolderView[] =>
  look(folders.map((folder) => ({ ...folder, folderId: folder.id }))).map(({ folderId: _, ...folder }) => folder);

/** An edge stays as long as one of the chunks that state it does. */
const lookAtWalk = (walk: GraphWalk, look: Look): GraphWalk => ({
  ...walk,
  entity: walk.entity && (look([walk.entity])[0] ?? null),
  ...(walk.candidates && { candidates: look(walk.candidates) }),
  nodes: look(walk.nodes),
  edges: walk.edges
    .map((edge) => ({ ...edge, evidence: look(edge.evidence) }))
    .filter(({ evidence }) => evidence.length > 0),
});

/** The queries whose answers are in folders. */
const CHECKS: { readonly [T in QueryType]?: (answer: QueryAnswer<T>, look: Look) => QueryAnswer<T> } = {
  'chunks.search': (answer, look) => ({ ...answer, hits: look(answer.hits) }),
  'items.search': (answer, look) => ({ ...answer, hits: look(answer.hits) }),
  'chunks.recall': ({ unknownGraphs, ...answer }, look) => ({
    ...answer,
    results: look(answer.results),
    ...(unknownGraphs && { unknownGraphs: { ...unknownGraphs, available: look(unknownGraphs.available) } }),
  }),
  'chunks.semantic': (answer, look) => ({ ...answer, hits: look(answer.hits) }),
  'items.query': (answer, look) => ({ ...answer, items: look(answer.items) }),
  'claims.verify': (answer, look) => ({
    ...answer,
    corroboratedBy: look(answer.corroboratedBy),
    contradictedBy: look(answer.contradictedBy),
  }),
  // One value covers several folders: if one of them is hidden, the whole value is.
  'series.query': (answer, look) =>
    look(answer.folders).length === answer.folders.length
      ? { ...answer, folders: [] }
      : { ...answer, rows: [], folders: [], aggregateStatus: 'live', rowsLive: 0, rowsRollup: 0 },
  'stats.get': (answer, look) => ({ ...answer, folders: look(answer.folders) }),
  'items.list': (answer, look) => ({ ...answer, items: look(answer.items) }),
  'folders.list': (answer, look) => ({ ...answer, items: lookAtFolders(answer.items, look) }),
  'links.walk': (answer, look) => ({ ...answer, memories: look(answer.memories) }),
  'links.list': (answer, look) => ({ ...answer, items: look(answer.items) }),
  'item.get': (answer, look) => {
    const [item] = look([answer]);
    if (item) return item;
    throw notFound('item');
  },
  'entities.list': (answer, look) => ({ ...answer, items: look(answer.items) }),
  'entities.find': (answer, look) => ({ ...answer, candidates: look(answer.candidates) }),
  'entity.get': (answer, look) => {
    const [entity] = look([answer]);
    if (!entity) throw notFound('entity');
    return { ...entity, edges: look(entity.edges), mentionedIn: look(entity.mentionedIn) };
  },
  'graph.walk': (answer, look) => lookAtWalk(answer, look),
  'edge.get': (answer, look) => {
    const evidence = look(answer.evidence);
    if (evidence.length === 0) throw notFound('edge');
    return { ...answer, evidence };
  },
  'item.mentions': (answer, look) => ({ mentions: look(answer.mentions) }),
  'review.list': (answer, look) => ({ ...answer, items: look(answer.items) }),
  'mesh.locate': (answer, look) => {
    const [located] = look([answer]);
    if (located) return located;
    throw notFound('item');
  },
  'folder.get': (answer, look) => {
    const [folder] = lookAtFolders([answer], look);
    if (folder) return folder;
    throw notFound('folder');
  },
};

/**
 * The final check before an answer leaves. Search has already filtered inside the database, so anything dropped here
 * indicates a fault behind the gateway: a stale index, a moved folder, a missing predicate.
 */
export const checkScope = <T extends QueryType>(
  type: T,
  answer: QueryAnswer<T>,
  reader: Reader,
  onViolation: (dropped: number) => void,
): QueryAnswer<T> => {
  const check = CHECKS[type];
  if (!check) return answer;
  let dropped = 0;
  const look: Look = (things) => {
    const visible = things.filter((thing) => seesPlaced(reader, thing));
    dropped += things.length - visible.length;
    return visible.map(({ placement: _, ...thing }) => thing as (typeof visible)[number]);
  };
  try {
    return check(answer, look);
  } finally {
    if (dropped > 0) onViolation(dropped);
  }
};
