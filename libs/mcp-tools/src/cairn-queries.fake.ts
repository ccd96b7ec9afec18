import { notFound, readerOf, type Reader } from '@cairn/access';
import {
  CONFIRMATION_PREVIEW_CHARS,
  firstChars,
  meshUriOf,
  restLimitOf,
  shownTitle,
  type ConfirmationView,
  type ItemDetail,
  type ItemSummary,
  type Page,
  type QueryAnswer,
  type QueryData,
  type QueryType,
  type TokenView,
} from '@cairn/contracts';
import type { ItemState } from '@cairn/domain';
import { pageOf, type QueryContext } from './cairn-answer.fake.js';
import { getAccount, listAccounts, openAccount } from './cairn-accounts.fake.js';
import { verifyClaimInMemory } from './cairn-claims.fake.js';
import { accountOfText, confirmFetch, knownDocuments, locateText } from './cairn-mesh.fake.js';
import { findEntities, itemMentions, walkGraph } from './cairn-graph.fake.js';
import { listLinks } from './cairn-links.fake.js';
import { queryItems, searchSemantic } from './cairn-metadata.fake.js';
import { planRouteInMemory } from './cairn-route.fake.js';
import { openMeta, openWaiting } from './cairn-seal.fake.js';
import { querySeries } from './cairn-series.fake.js';
import { recall, searchChunks, searchItems } from './cairn-search.fake.js';
import { walkLinks } from './cairn-walk.fake.js';
import { SERVER_ANSWERS } from './cairn-servers.fake.js';
import type { ConfirmationRow, InMemoryWorkspace, TokenRow } from './cairn-workspace.fake.js';

export type Answers = {
  readonly [T in QueryType]?: (context: QueryContext, data: QueryData<T>) => QueryAnswer<T> | Promise<QueryAnswer<T>>;
};

export const titleOf = ({ meta, chunks }: ItemState): string =>
  shownTitle(openMeta(meta).title, () => chunks?.[0]?.text);

export const summaryOf = (workspace: InMemoryWorkspace, reader: Reader, item: ItemState): ItemSummary => {
  const { id, folderId, inKb, createdByAgentId, expiresAt, supersededById } = item;
  const { kind, sourceKind, confidence, createdAt, updatedAt } = workspace.items.get(id)!;
  const { tags, sourceName: name, sourceUri: uri, links = [] } = openMeta(item.meta);
  return {
    id,
    title: titleOf(item),
    kind,
    folderId,
    inKb,
    tags,
    source: { kind: sourceKind, ...(name !== undefined && { name }), ...(uri !== undefined && { uri }) },
    confidence,
    createdByAgentId,
    superseded: supersededById !== null,
    supersededById: workspace.visibleHead(reader, id),
    expiresAt,
    links,
    embeddingStatus: 'ready',
    createdAt,
    updatedAt,
  };
};

export const meshUriIn = ({ state, items }: InMemoryWorkspace, itemId: string): string | null => {
  const { retention, accountId } = items.get(itemId)!;
  const connectorId = state.accounts.get(accountId ?? '')?.connectorId ?? null;
  return meshUriOf({ retention, accountId, itemId, connectorId });
};

const getItem = ({ workspace, principal }: QueryContext, { itemId, surface }: QueryData<'item.get'>): ItemDetail => {
  const reader = readerOf(principal, surface);
  const visible = workspace.visibleItems(reader);
  const item = visible.find(({ id }) => id === itemId);
  if (!item) {
    const owner = visible.find(({ inKb, chunks }) => inKb && chunks?.some(({ chunkId }) => chunkId === itemId));
    throw notFound('item', { field: 'id', ...(owner && { chunkOf: owner.id }) });
  }
  const parts = (item.chunks ?? []).map(({ chunkId: id, ordinal, text }) => ({ id, ordinal, text }));
  const content = parts.map(({ text }) => text).join('');
  const { format, extra } = openMeta(item.meta);
  const detail = { ...(format && { format }), ...(extra && { extra }) };
  return {
    ...summaryOf(workspace, reader, item),
    content,
    ...detail,
    chunks: item.inKb ? parts : [],
    retention: workspace.items.get(itemId)!.retention,
    meshUri: meshUriIn(workspace, itemId),
  };
};

const listItems = ({ workspace, principal }: QueryContext, query: QueryData<'items.list'>): Page<ItemSummary> => {
  const reader = readerOf(principal, query.surface);
  const isAsked = ({ folderId, inKb, kind }: ItemSummary): boolean =>
    folderId === (query.folderId ?? folderId) && inKb === (query.inKb ?? inKb) && kind === (query.kind ?? kind);
  const all = workspace.visibleItems(reader).map((item) => summaryOf(workspace, reader, item));
  return pageOf(all.filter(isAsked).reverse(), query);
};

const stats = ({ workspace, principal }: QueryContext): QueryAnswer<'stats.get'> => {
  const reader = readerOf(principal, 'mcp');
  const items = workspace.visibleItems(reader).filter(({ inKb }) => inKb);
  const folders = workspace.visibleFolders(reader).map(({ id: folderId, slug, tier, readme }) => {
    const own = items.filter((item) => item.folderId === folderId);
    const chunks = own.flatMap((item) => item.chunks ?? []);
    const tokens = chunks.reduce((sum, chunk) => sum + chunk.tokens, 0);
    const counts = { items: own.length, chunks: chunks.length, tokens };
    return { folderId, slug, tier, readme, ...counts };
  });
  folders.sort((a, b) => (a.slug < b.slug ? -1 : 1));
  return {
    workspaceSlug: workspace.view.slug,
    folders,
    embeddingModel: 'in-memory',
    embeddingDimensions: null,
    databaseBytes: items.length,
  };
};

const confirmationView = (row: ConfirmationRow, restorableUntilMs: number | null): ConfirmationView => {
  const { suggestedName, label, text, candidates } = openWaiting(row.sealed);
  const { confirmationId: id, reason, kind, agentId, createdAt, expiresAt } = row;
  const preview = firstChars(text, CONFIRMATION_PREVIEW_CHARS);
  const view = { id, suggestedName, reason, candidates, label, preview, kind, agentId, createdAt, expiresAt };
  return restorableUntilMs === null ? view : { ...view, restorableUntil: new Date(restorableUntilMs).toISOString() };
};

const listConfirmations = (
  { workspace, nowMs }: QueryContext,
  query: QueryData<'confirmations.list'>,
): Page<ConfirmationView> => {
  const open = [...workspace.state.confirmations.values()].filter(({ sealed, expiresAtMs, restorableUntilMs }) => {
    const isDiscarded = restorableUntilMs !== null;
    return (
      sealed !== null &&
      Math.min(expiresAtMs, restorableUntilMs ?? expiresAtMs) > nowMs &&
      isDiscarded === (query.status === 'discarded')
    );
  });
  const views = open.map((one) => confirmationView(workspace.confirmations.get(one.id)!, one.restorableUntilMs));
  return pageOf(views.reverse(), query);
};

const tokenView = ({ tokenId: id, secretHash: _, instanceAdmin: __, ...row }: TokenRow): TokenView => ({
  id,
  ...row,
  restLimitPerHour: restLimitOf(row),
});

const hasEnded = ({ revokedAt, expiresAt }: TokenRow, nowMs: number): boolean =>
  revokedAt !== null || Date.parse(expiresAt) <= nowMs;

const resolveToken = (
  { everyWorkspace, nowMs }: QueryContext,
  { tokenId, secretHash }: QueryData<'token.resolve'>,
): QueryAnswer<'token.resolve'> => {
  const workspace = everyWorkspace.find(({ tokens }) => tokens.has(tokenId));
  const token = workspace?.tokens.get(tokenId);
  if (!workspace || !token || token.secretHash !== secretHash || hasEnded(token, nowMs)) return null;
  const { agentId, scopes, isUnscoped, folderIds, kbOnly, toolsets, instanceAdmin, expiresAt, rateLimitPerHour } =
    token;
  const grant = { agentId, scopes, isUnscoped, folderIds, kbOnly, toolsets, instanceAdmin };
  const limits = { rateLimitPerHour, restLimitPerHour: restLimitOf(token) };
  return { principal: { workspaceId: workspace.id, tokenId, ...grant }, expiresAt, ...limits };
};

export const ANSWERS: Answers = {
  'graph.walk': walkGraph,
  'entities.find': findEntities,
  'item.mentions': itemMentions,
  ...SERVER_ANSWERS,
  'chunks.search': searchChunks,
  'items.search': searchItems,
  'chunks.recall': recall,
  'chunks.semantic': searchSemantic,
  'items.query': queryItems,
  'claims.verify': verifyClaimInMemory,
  'route.plan': planRouteInMemory,
  'series.query': ({ workspace, principal }, query) => querySeries(workspace, principal, query),
  'stats.get': stats,
  'item.get': getItem,
  'links.list': listLinks,
  'links.walk': walkLinks,
  'items.list': listItems,
  'folders.list': ({ workspace, principal }, query) =>
    pageOf(workspace.visibleFolders(readerOf(principal, query.surface)), query),
  'folder.get': ({ workspace, principal }, { folderId, surface }) => {
    const folder = workspace.visibleFolders(readerOf(principal, surface)).find(({ id }) => id === folderId);
    if (!folder) throw notFound('folder');
    return folder;
  },
  'accounts.list': ({ workspace }, query) => pageOf(listAccounts(workspace), query),
  'account.get': ({ workspace }, { accountId }) => getAccount(workspace, accountId),
  'account.known': (context, query) => knownDocuments(context, query),
  'mesh.locate': (context, query) => {
    const item = getItem(context, { itemId: query.itemId, surface: 'mcp' });
    const { externalRef } = openMeta(context.workspace.state.items.get(query.itemId)!.meta);
    return locateText(context, query, item, externalRef);
  },
  'mesh.confirm': (context, query) => {
    getItem(context, { itemId: query.itemId, surface: 'rest' });
    accountOfText(context, query);
    return confirmFetch(context, query);
  },
  'account.open': (context, { accountId }) => openAccount(context, accountId),
  'quotas.get': ({ workspace }) => workspace.state.quotas,
  'confirmations.list': listConfirmations,
  'tokens.list': ({ workspace }, query) => pageOf([...workspace.tokens.values()].map(tokenView), query),
  'token.resolve': resolveToken,
  'tokens.ended': ({ everyWorkspace, nowMs }, { tokenIds }) => {
    const tokens = everyWorkspace.flatMap((workspace) => [...workspace.tokens.values()]);
    const ended = tokens.filter((token) => tokenIds.includes(token.tokenId) && hasEnded(token, nowMs));
    return { tokenIds: ended.map(({ tokenId }) => tokenId) };
  },
  'workspaces.list': ({ everyWorkspace, workspace, principal }, query) => {
    const shown = principal.instanceAdmin ? everyWorkspace : [workspace];
    return pageOf(
      shown.map(({ view }) => view),
      query,
    );
  },
};
