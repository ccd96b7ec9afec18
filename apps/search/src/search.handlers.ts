import { fail, isWorkspaceAdmin, SYSTEM_TOKEN_ID, type SEARCH_QUERIES } from '@cairn/contracts';
import type { ParsedRequest, QueryHandlers } from '@cairn/messaging';
import type { Readers } from './readers.js';

type Handle<D, R> = (request: ParsedRequest<D>) => Promise<R>;

/** The gateway checks first; this is the second fence. An admin's answer covers every folder. */
const forAdmins =
  <D, R>(handle: Handle<D, R>): Handle<D, R> =>
  async (request) => {
    if (isWorkspaceAdmin(request.principal)) return handle(request);
    throw fail('scope.missing', 'this needs the scope admin, for the whole workspace');
  };

/** What the gateway asks for itself: no token has the id of the installation. */
const forSystem =
  <D, R>(handle: Handle<D, R>): Handle<D, R> =>
  async (request) => {
    if (request.principal.tokenId === SYSTEM_TOKEN_ID) return handle(request);
    throw fail('scope.missing', 'only Cairn itself may ask for this');
  };

/** Every query that search answers. */
export const searchHandlers = ({
  searcher,
  items,
  listings,
  confirmations,
  tokens,
  ops,
  receipts,
  projections,
  status,
  stats,
  servers,
}: Readers): QueryHandlers<(typeof SEARCH_QUERIES)[number]['type']> => ({
  'chunks.search': (request) => searcher.chunks(request),
  'items.search': (request) => searcher.items(request),
  'chunks.recall': (request) => searcher.recall(request),
  'stats.get': ({ principal }) => stats.get(principal),
  'item.get': ({ principal, data }) => items.get(principal, data),
  'items.list': ({ principal, data }) => items.list(principal, data),
  'folders.list': ({ principal, data }) => listings.folders(principal, data),
  'folder.get': ({ principal, data }) => listings.folder(principal, data),
  'quotas.get': forAdmins(({ principal }) => listings.quotas(principal)),
  'confirmations.list': forAdmins(({ principal, data }) => confirmations.list(principal, data)),
  'tokens.list': forAdmins(({ principal, data }) => listings.tokens(principal, data)),
  'token.resolve': ({ data }) => tokens.resolve(data),
  'tokens.ended': ({ data }) => tokens.ended(data),
  'workspaces.list': ({ principal, data }) => listings.workspaces(principal, data),
  'ops.list': forAdmins(({ principal, data }) => ops.list(principal, data)),
  'op.get': forAdmins(({ principal, data }) => ops.get(principal, data)),
  'projections.get': forAdmins(async () => ({ items: await projections.list() })),
  'status.get': forAdmins((request) => status.status(request)),
  'receipt.get': forAdmins(({ principal, data }) => receipts.get(principal, data)),
  'receipt.key': () => receipts.key(),
  'servers.list': forAdmins(({ principal, data }) => servers.list(principal, data)),
  'servers.open': forSystem(({ principal }) => servers.open(principal)),
  'search.check': () => status.check(),
});
