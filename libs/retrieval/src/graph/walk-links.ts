import { notFound, type Reader } from '@cairn/access';
import { WALK_MS_MAX, type WalkedMemory, type WalkMode, type WalkTrace } from '@cairn/contracts';
import { walk, type Walked } from '@cairn/graph';
import type { KeyOpener } from '../winners.js';
import { loadLinks, type LinkFilter, type LinkSource } from './load-links.js';
import { visibleAnchors, walkedItems } from './walked-items.js';

export interface LinkWalk extends LinkFilter {
  readonly anchor: readonly string[];
  readonly mode: WalkMode;
  readonly limit: number;
  readonly reader: Reader;
}

export interface WalkContext extends LinkSource {
  readonly vault: KeyOpener;
  readonly nowMs: () => number;
}

/**
 * The anchors that take part in the walk. An anchor that the reader may not see ends it, like one that does not exist.
 */
const startOf = async ({ pool, inTurn }: WalkContext, { anchor, linkTypes, reader }: LinkWalk): Promise<string[]> => {
  const rows = await inTurn(() => visibleAnchors(pool, reader, anchor));
  const seen = new Map(rows.map((row) => [row.id, row]));
  const unseen = anchor.findIndex((id) => !seen.has(id));
  if (unseen !== -1) throw notFound('memory', { field: `anchor[${unseen}]` });
  return anchor.filter((id) => {
    const { live, superseded } = seen.get(id)!;
    return live && (!superseded || linkTypes.includes('supersedes'));
  });
};

const shown = async (
  { pool, vault, inTurn }: WalkContext,
  reader: Reader,
  memories: readonly Walked[],
): Promise<WalkedMemory[]> => {
  const ids = memories.map(({ id }) => id);
  const items = await inTurn(() => walkedItems(pool, vault, reader, ids));
  return memories.flatMap(({ id: itemId, score, hop, via }) => {
    const item = items.get(itemId);
    if (!item) return [];
    const { tier, ...fields } = item;
    const placement = { workspaceId: reader.workspaceId, tier };
    return [{ itemId, ...fields, placement, score, hop, via: via as WalkedMemory['via'] }];
  });
};

/** Loads the links around the anchors, ranks the reached items, and decrypts the titles of those that are returned. */
export const walkLinks = async (
  context: WalkContext,
  request: LinkWalk,
): Promise<{ readonly memories: readonly WalkedMemory[]; readonly trace: WalkTrace }> => {
  const { anchor, mode, limit, reader } = request;
  const start = await startOf(context, request);
  const { links, isCut } = await loadLinks(context, start, request);
  const deadlineMs = context.nowMs() + WALK_MS_MAX;
  const isLate = (): boolean => context.nowMs() >= deadlineMs;
  const { memories, trace } = walk(links, { mode, anchors: anchor, limit, isCut, isLate });
  return { memories: await shown(context, reader, memories), trace };
};
