import { notFound, readerOf } from '@cairn/access';
import { type CommandResult, type LoggedCommandType, type MemoryKind, type WaitingText } from '@cairn/contracts';
import {
  decideConfigureFolder,
  decideCorrectChunk,
  decideCreateFolder,
  decideCreateWorkspace,
  decideForgetChunk,
  decideForgetItem,
  decideImportObservations,
  decideIssueToken,
  decideMergeEntities,
  decideObserveChunk,
  decideObserveText,
  decideReviewEdge,
  decideSplitEntities,
  decidePurgeObservations,
  decideRemember,
  decideResolveConfirmation,
  decideRevokeToken,
  decideSetQuota,
  decideStoreItem,
  decideSupersedeItem,
  decideUpdateItem,
  type Decision,
  type ObservationsImport,
  type Remembered,
  type SealedItem,
  type WorkspaceState,
} from '@cairn/domain';
import { uuidV7 } from '@cairn/kernel';
import { ACCOUNT_COMMANDS } from './cairn-accounts.fake.js';
import { originOf, statedAnswer, stateInChunks } from './cairn-graph.fake.js';
import { syncItemWith } from './cairn-mesh.fake.js';
import { at, plain, type Prepare } from './cairn-prepare.fake.js';
import { planImport, planPurge } from './cairn-series.fake.js';
import { SERVER_COMMANDS } from './cairn-servers.fake.js';
import { attach } from './cairn-attach.fake.js';
import { addLinks, removeLink } from './cairn-links.fake.js';
import { commit } from './cairn-commit.fake.js';
import { openMeta, openWaiting, sealItem } from './cairn-seal.fake.js';

const memory = (text: string, label: string | null, kind: MemoryKind): SealedItem =>
  sealItem({
    ...(label !== null && { title: label }),
    text,
    kind,
    inKb: true,
    tags: [],
    source: { kind: 'agent' },
    surface: 'mcp',
    confidence: kind === 'ai-conversation' ? 50 : 80,
    expiresAt: null,
  });

const remember: Prepare<'item.remember'> = (request) => {
  const { text, label = null, kind, slug, name } = request.data;
  const item = memory(text, label, kind);
  const confirmationId = uuidV7();
  const sealWaiting = (candidates: WaitingText['candidates']): string =>
    JSON.stringify({ suggestedName: name ?? '', label, text, candidates });
  const payloadHash = JSON.stringify([text, slug, name]);
  const data = { item, payloadHash, kind, slug, name, confirmationId, sealWaiting };
  return {
    decide: (state, atMs) => decideRemember(state, at(request, data, atMs)),
    answer: (decision, position) => rememberAnswer(decision as Remembered, item.chunks.length, position),
  };
};

const rememberAnswer = (made: Remembered, chunkCount: number, position: number): CommandResult<'item.remember'> => {
  const { entityId } = made;
  if (made.outcome === 'stored')
    return { outcome: 'stored', itemId: entityId, folder: made.folder.slug, chunkCount, position };
  const candidates = made.candidates.map(({ folder, match }) => ({ name: folder.name, slug: folder.slug, match }));
  const folders = made.folders.map(({ name }) => name);
  return { outcome: 'waiting', confirmationId: entityId, reason: made.reason, candidates, folders, position };
};

const resolveConfirmation: Prepare<'confirmation.resolve'> = (request, { workspace }) => ({
  decide: (state, atMs) => {
    const open = ({ kind, sealed }: { readonly kind: MemoryKind; readonly sealed: string | null }) => {
      const { suggestedName, label, text } = openWaiting(sealed ?? '');
      return { suggestedName, item: memory(text, label, kind) };
    };
    return decideResolveConfirmation(state, at(request, { command: request.data, newFolderId: uuidV7(), open }, atMs));
  },
  answer: ({ entityId: confirmationId }, position) => {
    const { folderId, itemId } = workspace.confirmations.get(confirmationId)!;
    return { confirmationId, folderId, itemId, position };
  },
});

/** The erasable content of each item, which the product loads for these commands only. */
const withContent = (state: WorkspaceState): WorkspaceState => ({
  ...state,
  items: new Map(
    [...state.items].map(([id, item]) => {
      const chunkIds = (item.chunks ?? []).map(({ chunkId }) => chunkId);
      return [id, { ...item, content: { chunkIds, ops: [] } }];
    }),
  ),
});

/** The items of rows of an account, which the product loads for these commands only. */
const withSeries = (
  state: WorkspaceState,
  { accountId, seen }: Pick<ObservationsImport, 'accountId' | 'seen'>,
): WorkspaceState => ({ ...state, series: new Map([[accountId, seen]]) });

const forgotten = ({ events, entityId: receiptId }: Decision, position: number): CommandResult<'item.forget'> => {
  const chunkIds = events.flatMap(({ type, data }) =>
    type === 'item.forgotten' ? data.chunkIds : type === 'chunk.forgotten' ? [data.chunkId] : [],
  );
  const sourceRemoved = events.some(({ type }) => type === 'item.forgotten');
  return { deleted: true, chunksRemoved: new Set(chunkIds).size, sourceRemoved, receiptId, position };
};

const updateItem: Prepare<'item.update'> = (request) => {
  const { title, tags, ...command } = request.data;
  const reseal = (meta: string): string => {
    const before = openMeta(meta);
    return JSON.stringify({ ...before, title: title ?? before.title, tags: tags ?? before.tags });
  };
  return {
    decide: (state, atMs) => decideUpdateItem(state, at(request, { command, reseal }, atMs)),
    answer: ({ entityId: itemId }, position) => ({ itemId, position }),
  };
};

const mergeEntities: Prepare<'entity.merge'> = (request) => {
  const { mergeId, alias, canonical, names } = request.data;
  const named = (places: typeof alias, given: readonly string[]) =>
    places.map((place, i) => ({ ...place, name: given[i]! }));
  const data = { mergeId, alias: named(alias, names.alias), canonical: named(canonical, names.canonical) };
  return {
    decide: (state, atMs) => decideMergeEntities(state, at(request, data, atMs)),
    answer: ({ entityId }, position) => ({ mergeId: entityId, position }),
  };
};

const observeEdges: Prepare<'edge.observe'> = (request, { workspace }) => {
  const { principal, data } = request;
  const { chunkId, text, folderId, edges, surface } = data;
  const origin = originOf(principal, surface);
  const item =
    text === undefined
      ? undefined
      : sealItem({
          text,
          kind: 'clip',
          inKb: true,
          tags: [],
          source: { kind: origin === 'human' ? 'human' : 'agent' },
          surface,
          confidence: origin === 'human' ? 100 : 80,
          expiresAt: null,
          ...(folderId !== undefined && { folderId }),
        });
  const owner = workspace
    .visibleItems(readerOf(principal, surface))
    .find(({ inKb, chunks }) => inKb && chunks?.some((chunk) => chunk.chunkId === chunkId));
  const chunks = item?.chunks ?? owner?.chunks?.filter((chunk) => chunk.chunkId === chunkId);
  if (!chunks) throw notFound('chunk', { field: 'chunkId' });
  const parts = stateInChunks(edges, chunks, origin);
  const itemId = item?.itemId ?? owner!.id;
  return {
    decide: (state, atMs) =>
      item
        ? decideObserveText(state, at(request, { item, origin, parts }, atMs))
        : decideObserveChunk(state, at(request, { itemId, surface, origin, parts }, atMs)),
    answer: (_, position) => statedAnswer(workspace.graph, data, itemId, parts, position),
  };
};

/** The installation itself issues receipts, so no caller of the port needs them. */
export const PREPARE: { readonly [T in Exclude<LoggedCommandType, 'receipt.issue'>]: Prepare<T> } = {
  'workspace.create': plain(decideCreateWorkspace, (workspaceId, position) => ({ workspaceId, position })),
  'folder.create': plain(decideCreateFolder, (folderId, position) => ({ folderId, position })),
  'folder.configure': plain(decideConfigureFolder, (folderId, position) => ({ folderId, position })),
  'token.issue': plain(decideIssueToken, (tokenId, position) => ({ tokenId, position })),
  'token.revoke': plain(decideRevokeToken, (tokenId, position) => ({ tokenId, position })),
  'quota.set': (request) => ({
    decide: (state, atMs) => decideSetQuota(state, at(request, request.data, atMs)),
    answer: (_, position) => ({ name: request.data.name, position }),
  }),
  'item.store': (request) => {
    const item = sealItem(request.data);
    return {
      decide: (state, atMs) => decideStoreItem(state, at(request, item, atMs)),
      answer: ({ entityId: itemId }, position) => {
        return { itemId, chunkIds: item.chunks.map(({ chunkId }) => chunkId), position };
      },
    };
  },
  'item.update': updateItem,
  'item.supersede': (request, { workspace }) => ({
    decide: (state, atMs) => decideSupersedeItem(state, at(request, request.data, atMs)),
    answer: (_, position) => {
      const { oldId, newId } = request.data;
      const head = workspace.visibleHead(readerOf(request.principal, 'mcp'), oldId);
      return { oldId, newId, supersededById: head ?? newId, position };
    },
  }),
  'item.remember': remember,
  'item.commit': commit,
  'confirmation.resolve': resolveConfirmation,
  'item.forget': (request) => {
    const data = { command: request.data, receiptId: uuidV7() };
    return {
      decide: (state, atMs) => decideForgetItem(withContent(state), at(request, data, atMs)),
      answer: forgotten,
    };
  },
  'chunk.forget': (request) => {
    const data = { command: request.data, receiptId: uuidV7() };
    return {
      decide: (state, atMs) => decideForgetChunk(withContent(state), at(request, data, atMs)),
      answer: forgotten,
    };
  },
  'link.add': addLinks,
  'item.attach': attach,
  'link.remove': removeLink,
  'edge.observe': observeEdges,
  'edge.review': (request) => ({
    decide: (state, atMs) => decideReviewEdge(state, at(request, request.data, atMs)),
    answer: (_, position) => ({ id: request.data.edgeId, verdict: request.data.verdict, position }),
  }),
  'entity.merge': mergeEntities,
  'entity.split': plain(decideSplitEntities, (mergeId, position) => ({ mergeId, position })),
  'observations.import': (request, { workspace }) => {
    const { rows, ...change } = planImport(workspace, request.data);
    return {
      decide: (state, atMs) => decideImportObservations(withSeries(state, change), at(request, change, atMs)),
      answer: (_, position) => {
        return { rows, duplicates: request.data.rows.length - rows, items: change.batches.length, position };
      },
    };
  },
  'observations.purge': (request, { workspace }) => {
    const { rows, rollups, ...change } = planPurge(workspace, request.data);
    const receiptIds = change.purged.map(({ receiptId }) => receiptId);
    return {
      decide: (state, atMs) =>
        decidePurgeObservations(withSeries(withContent(state), change), at(request, change, atMs)),
      answer: (_, position) => ({ rows, rollups, receiptIds, more: false, position }),
    };
  },
  'chunk.correct': (request, { corrections }) => ({
    decide: (state, atMs) => decideCorrectChunk(state, at(request, corrections.get(request.data.correctionId), atMs)),
    answer: ({ entityId: chunkId }, position) => ({ chunkId, opId: uuidV7(), isEmbedded: true, position }),
  }),
  ...SERVER_COMMANDS,
  ...ACCOUNT_COMMANDS,
  'item.sync': syncItemWith(sealItem),
};
