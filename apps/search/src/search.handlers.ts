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

/** The gateway's own requests: no token has the id of the installation. */
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
  metadata,
  listings,
  confirmations,
  tokens,
  ops,
  receipts,
  projections,
  status,
  stats,
  servers,
  links,
  graph,
  claims,
  accounts,
  documents,
  mesh,
}: Readers): QueryHandlers<(typeof SEARCH_QUERIES)[number]['type']> => ({
  'chunks.search': (request) => searcher.chunks(request),
  'items.search': (request) => searcher.items(request),
  'chunks.recall': (request) => searcher.recall(request),
  'chunks.semantic': (request) => searcher.semantic(request),
  'items.query': (request) => metadata.query(request),
  'claims.verify': (request) => claims.verify(request),
  'route.plan': (request) => claims.plan(request),
  'series.query': (request) => searcher.series(request),
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
  'links.list': (request) => links.list(request),
  'accounts.list': forAdmins(({ principal, data }) => accounts.list(principal, data)),
  'account.get': forAdmins(({ principal, data }) => accounts.get(principal, data)),
  'account.open': forSystem(({ principal, data }) => accounts.open(principal, data)),
  'entities.list': (request) => graph.list(request),
  'entities.find': (request) => graph.find(request),
  'entity.get': (request) => graph.entity(request),
  'graph.walk': (request) => graph.walk(request),
  'edge.get': (request) => graph.edge(request),
  'edge.locate': forAdmins((request) => graph.locateEdge(request)),
  'entity.locate': forAdmins((request) => graph.locateEntity(request)),
  'item.mentions': (request) => graph.mentions(request),
  'review.list': forAdmins((request) => graph.review(request)),
  'account.known': forAdmins(({ principal, data }) => documents.find(principal, data)),
  'mesh.locate': ({ principal, data }) => mesh.locate(principal, data),
  'mesh.confirm': forAdmins(({ principal, data }) => mesh.confirm(principal, data)),
  'links.walk': (request) => links.walk(request),
  'search.check': () => status.check(),
});
