import type { NewLink } from '@cairn/contracts';
import { decideAddLinks, decideRemoveLink, type NamedLink } from '@cairn/domain';
import { linkId } from '@cairn/projections';
import { anyFolderOf, at, type Command } from './command.js';
import type { Need } from './needs.js';

export const namedLinks = (workspaceId: string, links: readonly NewLink[]): NamedLink[] =>
  links.map((link) => ({ ...link, linkId: linkId(workspaceId, link) }));

export const needsOfLinks = (links: readonly NamedLink[]): Need<'links'> => ({
  ids: links.map((link) => link.linkId),
  itemIds: links.flatMap(({ fromItemId, toItemId }) => [fromItemId, toItemId]),
});

export const addLinks: Command<'link.add'> = {
  prepare: (request) => {
    const { principal, data } = request;
    const links = namedLinks(principal.workspaceId, data.links);
    return {
      needs: { links: needsOfLinks(links), folders: anyFolderOf(principal) },
      decide: (state, atMs) => decideAddLinks(state, { ...at(request, atMs), data: { ...data, links } }),
      answer: ({ position }) => ({ linkIds: links.map((link) => link.linkId), position }),
    };
  },
};

export const removeLink: Command<'link.remove'> = {
  prepare: (request) => ({
    needs: { links: { ids: [request.data.linkId], itemIds: [] }, folders: anyFolderOf(request.principal) },
    decide: (state, atMs) => decideRemoveLink(state, at(request, atMs)),
    answer: ({ entityId, position }) => ({ linkId: entityId, position }),
  }),
};
