import { readerOf } from '@cairn/access';
import {
  NO_TITLE,
  type CommandData,
  type CommandResult,
  type ItemMeta,
  type LoggedCommandType,
  type MemoryKind,
  type WaitingText,
} from '@cairn/contracts';
import {
  chunkText,
  decideConfigureFolder,
  decideCorrectChunk,
  decideCreateFolder,
  decideCreateWorkspace,
  decideForgetChunk,
  decideForgetItem,
  decideIssueToken,
  decideRemember,
  decideResolveConfirmation,
  decideRevokeToken,
  decideSetQuota,
  decideStoreItem,
  decideSupersedeItem,
  decideUpdateItem,
  type Decision,
  type Remembered,
  type SealedItem,
  type WorkspaceState,
} from '@cairn/domain';
import { uuidV7 } from '@cairn/kernel';
import { at, plain, type Prepare } from './cairn-prepare.fake.js';
import { SERVER_COMMANDS } from './cairn-servers.fake.js';

/** Nothing is secret here: what the product seals is JSON, and a text is its own hash. */
export const openMeta = (meta: string): ItemMeta => JSON.parse(meta) as ItemMeta;
export const openWaiting = (sealed: string): WaitingText => JSON.parse(sealed) as WaitingText;

const sealItem = (data: CommandData<'item.store'>): SealedItem => {
  const { title = NO_TITLE, text, tags, taskRef, clientToken: _, ...command } = data;
  const { name: sourceName, uri: sourceUri } = command.source;
  const links = taskRef && [{ type: 'task_knowledge', ...taskRef }];
  const chunks = chunkText(text).map((chunk, ordinal) => ({
    ...chunk,
    chunkId: uuidV7(),
    ordinal,
    textHash: chunk.text,
  }));
  return { itemId: uuidV7(), command, meta: JSON.stringify({ title, tags, sourceName, sourceUri, links }), chunks };
};

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

/** What there is to erase of each item, which the product loads for these commands only. */
const withContent = (state: WorkspaceState): WorkspaceState => ({
  ...state,
  items: new Map(
    [...state.items].map(([id, item]) => {
      const chunkIds = (item.chunks ?? []).map(({ chunkId }) => chunkId);
      return [id, { ...item, content: { chunkIds, ops: [] } }];
    }),
  ),
});

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

/** Receipts are issued by the installation itself, so that no caller of the port needs them. */
export const PREPARE: { readonly [T in Exclude<LoggedCommandType, 'receipt.issue'>]: Prepare<T> } = {
  'workspace.create': plain(decideCreateWorkspace, (workspaceId, position) => ({ workspaceId, position })),
  'folder.create': plain(decideCreateFolder, (folderId, position) => ({ folderId, position })),
  'folder.configure': plain(decideConfigureFolder, (folderId, position) => ({ folderId, position })),
  'token.issue': plain(decideIssueToken, (tokenId, position) => ({ tokenId, position })),
  'token.revoke': plain(decideRevokeToken, (tokenId, position) => ({ tokenId, position })),
  'quota.set': plain(decideSetQuota, (_, position) => ({ name: 'knowledge_stored', position })),
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
  'chunk.correct': (request, { corrections }) => ({
    decide: (state, atMs) => decideCorrectChunk(state, at(request, corrections.get(request.data.correctionId), atMs)),
    answer: ({ entityId: chunkId }, position) => ({ chunkId, opId: uuidV7(), isEmbedded: true, position }),
  }),
  ...SERVER_COMMANDS,
};
