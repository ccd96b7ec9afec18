import { notFound, readerOf, type Reader } from '@cairn/access';
import { TEXT_LINKS_PER_CHUNK_MAX, type NewLink, type QueryAnswer, type QueryData } from '@cairn/contracts';
import { decideAddLinks, decideRemoveLink, type NamedLink } from '@cairn/domain';
import { itemIdsIn } from '@cairn/graph';
import { uuidV7 } from '@cairn/kernel';
import { pageOf, type QueryContext } from './cairn-answer.fake.js';
import { at, type Prepare } from './cairn-prepare.fake.js';
import type { InMemoryWorkspace, LinkRow } from './cairn-workspace.fake.js';

/** The same for the same pair and type, as in the product. */
export const linkIdOf = ({ linkIds }: InMemoryWorkspace, link: Omit<NewLink, 'confidence'>): string => {
  const key = `${link.fromItemId}|${link.toItemId}|${link.type}`;
  if (!linkIds.has(key)) linkIds.set(key, uuidV7());
  return linkIds.get(key)!;
};

export const addLinks: Prepare<'link.add'> = (request, { workspace }) => {
  const links = request.data.links.map((link): NamedLink => ({ ...link, linkId: linkIdOf(workspace, link) }));
  return {
    decide: (state, atMs) => decideAddLinks(state, at(request, { ...request.data, links }, atMs)),
    answer: (_, position) => ({ linkIds: links.map(({ linkId }) => linkId), position }),
  };
};

export const removeLink: Prepare<'link.remove'> = (request) => ({
  decide: (state, atMs) => decideRemoveLink(state, at(request, request.data, atMs)),
  answer: ({ entityId: linkId }, position) => ({ linkId, position }),
});

const textLinks = (workspace: InMemoryWorkspace): LinkRow[] =>
  [...workspace.state.items.values()].flatMap(({ id: fromItemId, chunks = [] }) =>
    chunks
      .flatMap(({ text }) => itemIdsIn(text, fromItemId, TEXT_LINKS_PER_CHUNK_MAX))
      .map((toItemId) => {
        const link = { fromItemId, toItemId, type: 'references', confidence: 1 } as const;
        return { ...link, linkId: linkIdOf(workspace, link), sourceKind: 'extracted' };
      }),
  );

/** Stated links and links in texts, each once, between items that the reader may see. */
export const visibleLinks = (workspace: InMemoryWorkspace, reader: Reader): LinkRow[] => {
  const visible = new Set(workspace.visibleItems(reader).map(({ id }) => id));
  const all = [...textLinks(workspace), ...workspace.links.values()];
  return [...new Map(all.map((link) => [link.linkId, link])).values()].filter(
    ({ fromItemId, toItemId, gone }) => !gone && visible.has(fromItemId) && visible.has(toItemId),
  );
};

export const listLinks = (
  { workspace, principal }: QueryContext,
  { itemId, surface, ...page }: QueryData<'links.list'>,
): QueryAnswer<'links.list'> => {
  const reader = readerOf(principal, surface);
  if (!workspace.visibleItems(reader).some(({ id }) => id === itemId)) throw notFound('item');
  const own = visibleLinks(workspace, reader)
    .filter(({ fromItemId, toItemId }) => fromItemId === itemId || toItemId === itemId)
    .map(({ linkId: id, gone: _, ...link }) => {
      const isOut = link.fromItemId === itemId;
      const { folderId } = workspace.state.items.get(isOut ? link.toItemId : link.fromItemId)!;
      return { id, ...link, direction: isOut ? ('out' as const) : ('in' as const), folderId };
    });
  return pageOf(
    own.sort((a, b) => (a.id < b.id ? -1 : 1)),
    page,
  );
};
