import { notFound, readerOf, seesInKb, type Reader } from '@cairn/access';
import { LINKS_WALKED_MAX, type QueryAnswer, type QueryData, type WalkedMemory } from '@cairn/contracts';
import type { ItemState } from '@cairn/domain';
import { walk, type WalkLink } from '@cairn/graph';
import type { QueryContext } from './cairn-answer.fake.js';
import { visibleLinks } from './cairn-links.fake.js';
import { titleOf } from './cairn-queries.fake.js';
import type { InMemoryWorkspace } from './cairn-workspace.fake.js';

const isLive = ({ inKb, expiresAt }: ItemState, nowMs: number): boolean =>
  inKb && (expiresAt === null || Date.parse(expiresAt) > nowMs);

/** The links that a walk may take, including replacements if they are requested. */
const walkable = (
  { workspace, principal, nowMs }: QueryContext,
  { linkTypes, minConfidence }: QueryData<'links.walk'>,
): WalkLink[] => {
  const reader = readerOf(principal, 'mcp');
  const shows = linkTypes.includes('supersedes');
  const live = workspace
    .visibleItems(reader)
    .filter((item) => isLive(item, nowMs) && (shows || item.supersededById === null));
  const ids = new Set(live.map(({ id }) => id));
  const replacements = live.flatMap(({ id: to, supersededById: from }) =>
    shows && from !== null ? [{ from, to, type: 'supersedes' as const, confidence: 1 }] : [],
  );
  const links = visibleLinks(workspace, reader).map(({ fromItemId: from, toItemId: to, type, confidence }) => {
    return { from, to, type, confidence };
  });
  return [...links.filter(({ type }) => linkTypes.includes(type)), ...replacements].filter(
    ({ from, to, confidence }) => ids.has(from) && ids.has(to) && confidence >= minConfidence,
  );
};

/** Links with an end less than `depth` hops from an anchor. */
const within = (links: readonly WalkLink[], anchors: readonly string[], depth: number): WalkLink[] => {
  const visited = new Set(anchors);
  const found = new Set<WalkLink>();
  for (let hop = 0; hop < depth; hop++) {
    const near = links.filter(({ from, to }) => visited.has(from) || visited.has(to));
    for (const link of near) found.add(link);
    for (const { from, to } of near) visited.add(from).add(to);
  }
  return [...found];
};

const isPurged = (workspace: InMemoryWorkspace, reader: Reader, itemId: string): boolean => {
  const visible = new Set(workspace.visibleItems(reader).map(({ id }) => id));
  const folders = new Set(workspace.visibleFolders(reader).map(({ id }) => id));
  const sources = [...workspace.links.values()].filter(
    ({ fromItemId, toItemId, type, gone }) =>
      type === 'derived_from' &&
      fromItemId === itemId &&
      (gone ? folders.has(gone.folderId) && seesInKb(reader, gone.inKb) : visible.has(toItemId)),
  );
  const isFull = (id: string): boolean => workspace.items.get(id)?.retention === 'full';
  const isSourceGone =
    sources.length > 0 && sources.every(({ gone, toItemId }) => gone !== undefined || !isFull(toItemId));
  return !isFull(itemId) || isSourceGone;
};

export const walkLinks = (context: QueryContext, data: QueryData<'links.walk'>): QueryAnswer<'links.walk'> => {
  const { workspace, principal } = context;
  const { anchor, mode, depth, limit } = data;
  const reader = readerOf(principal, 'mcp');
  const visible = new Map(workspace.visibleItems(reader).map((item) => [item.id, item]));
  const unseen = anchor.findIndex((id) => !visible.has(id));
  if (unseen !== -1) throw notFound('memory', { field: `anchor[${unseen}]` });
  const links = within(walkable(context, data), anchor, depth);
  const isCut = links.length > LINKS_WALKED_MAX;
  const { memories, trace } = walk(links.slice(0, LINKS_WALKED_MAX), { mode, anchors: anchor, limit, isCut });
  const shown = memories.map(({ id: itemId, score, hop, via }) => {
    const item = visible.get(itemId)!;
    return {
      itemId,
      folderId: item.folderId,
      title: titleOf(item),
      score,
      hop,
      superseded: item.supersededById !== null,
      sourcePurged: isPurged(workspace, reader, itemId),
      via: via as WalkedMemory['via'],
    };
  });
  return { memories: shown, trace, stale: false };
};
