import {
  CHUNKS_PER_OP_MAX,
  fail,
  type CommandData,
  type CommandType,
  type EventType,
  type StoredChunk,
} from '@cairn/contracts';
import {
  chunkText,
  decideConfigureFolder,
  decideCreateFolder,
  decideCreateWorkspace,
  decideIssueToken,
  decideRevokeToken,
  decideStoreItem,
  decideSupersedeItem,
  type Decidable,
  type SealedItem,
} from '@cairn/domain';
import type { IdGenerator } from '@cairn/kernel';
import type { ParsedRequest } from '@cairn/messaging';
import { keyedHash, sealMeta, sealText, type ItemKeys, type Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { PreparedCommand } from './prepared-command.js';

export interface PrepareContext {
  readonly vault: Vault;
  readonly ids: IdGenerator;
}

type Prepare<T extends CommandType> = (
  request: ParsedRequest<CommandData<T>>,
  context: PrepareContext,
) => PreparedCommand;

const MAKES: Readonly<Record<CommandType, EventType>> = {
  'workspace.create': 'workspace.created',
  'folder.create': 'folder.created',
  'folder.configure': 'folder.configured',
  'token.issue': 'token.issued',
  'token.revoke': 'token.revoked',
  'item.store': 'item.stored',
  'item.supersede': 'item.superseded',
};

const common = (type: CommandType, { id, correlationId, principal }: ParsedRequest<unknown>) => ({
  type,
  makes: MAKES[type],
  id,
  correlationId,
  principal,
});

const at = <D>({ id, principal, data }: ParsedRequest<D>, atMs: number): Decidable<D> => ({
  commandId: id,
  principal,
  atMs,
  data,
});

const prepareCreateWorkspace: Prepare<'workspace.create'> = (request) => ({
  ...common('workspace.create', request),
  needs: { workspaceSlugs: [request.data.slug] },
  decide: (state, atMs) => decideCreateWorkspace(state, at(request, atMs)),
  answer: (workspaceId, position) => Promise.resolve({ workspaceId, position }),
});

const prepareCreateFolder: Prepare<'folder.create'> = (request) => ({
  ...common('folder.create', request),
  needs: { folders: { ids: [request.data.folderId], slugs: [request.data.slug] } },
  decide: (state, atMs) => decideCreateFolder(state, at(request, atMs)),
  answer: (folderId, position) => Promise.resolve({ folderId, position }),
});

const prepareConfigureFolder: Prepare<'folder.configure'> = (request) => ({
  ...common('folder.configure', request),
  needs: { folders: { ids: [request.data.folderId], slugs: [] } },
  decide: (state, atMs) => decideConfigureFolder(state, at(request, atMs)),
  answer: (folderId, position) => Promise.resolve({ folderId, position }),
});

const prepareIssueToken: Prepare<'token.issue'> = (request) => ({
  ...common('token.issue', request),
  needs: { tokenIds: [request.data.tokenId], folders: { ids: request.data.folderIds, slugs: [] } },
  decide: (state, atMs) => decideIssueToken(state, at(request, atMs)),
  answer: (tokenId, position) => Promise.resolve({ tokenId, position }),
});

const prepareRevokeToken: Prepare<'token.revoke'> = (request) => ({
  ...common('token.revoke', request),
  needs: { tokenIds: [request.data.tokenId] },
  decide: (state, atMs) => decideRevokeToken(state, at(request, atMs)),
  answer: (tokenId, position) => Promise.resolve({ tokenId, position }),
});

interface Sealed {
  readonly item: SealedItem;
  readonly keys: ItemKeys;
}

/** Chunks, mints ids and keys, and seals: after this no plaintext is left. */
const sealItem = (
  { data, principal }: ParsedRequest<CommandData<'item.store'>>,
  { vault, ids }: PrepareContext,
): Sealed => {
  const { title, text, tags, ...command } = data;
  const { workspaceId } = principal;
  const itemId = ids.next();
  const pieces = chunkText(text).map((chunk) => ({ ...chunk, id: ids.next() }));
  const keys = vault.mint(
    workspaceId,
    itemId,
    pieces.map(({ id }) => id),
  );
  const chunks = pieces.map((piece, ordinal): StoredChunk => {
    const key = keys.chunks.get(piece.id)!;
    return {
      chunkId: piece.id,
      ordinal,
      text: sealText(key, workspaceId, piece.id, piece.text).toString('base64'),
      textHash: keyedHash(key, piece.text),
      tokens: piece.tokens,
    };
  });
  const { name: sourceName, uri: sourceUri } = command.source;
  const meta = {
    title,
    tags,
    ...(sourceName !== undefined && { sourceName }),
    ...(sourceUri !== undefined && { sourceUri }),
  };
  const sealedMeta = sealMeta(keys.item, workspaceId, itemId, meta).toString('base64');
  const payloadHash = vault.payloadHash(workspaceId, JSON.stringify([title, text, tags, command]));
  return { item: { itemId, command, meta: sealedMeta, payloadHash, chunks }, keys };
};

/** The answer of an earlier store: its position is that of its last op, as the first answer said. */
const storedBefore = async (pool: Pool, itemId: string): Promise<unknown> => {
  const { rows } = await pool.query<{ position: string; chunkIds: string[] }>(
    `select i.position + (i.chunk_count - 1) / $2 as position,
       array(select b.chunk_id from library.bodies b where b.item_id = i.id order by b.ordinal) as "chunkIds"
     from library.items i where i.id = $1`,
    [itemId, CHUNKS_PER_OP_MAX],
  );
  const [row] = rows;
  if (!row) throw fail('projection.unavailable', 'the entry is stored but cannot be read yet; try again', { itemId });
  return { itemId, chunkIds: row.chunkIds, position: Number(row.position) };
};

const prepareStoreItem: Prepare<'item.store'> = (request, context) => {
  const { item, keys } = sealItem(request, context);
  const { principal, data } = request;
  const folderIds = data.folderId === undefined ? principal.folderIds : [data.folderId];
  return {
    ...common('item.store', request),
    payloadHash: item.payloadHash,
    needs: {
      folders: { ids: folderIds, slugs: [] },
      ...(data.clientToken !== undefined && {
        clientTokens: [{ agentId: principal.agentId, token: data.clientToken }],
      }),
    },
    decide: (state, atMs) => decideStoreItem(state, { commandId: request.id, principal, atMs, data: item }),
    beforeAppend: () => context.vault.keep(principal.workspaceId, item.itemId, keys),
    answer: (itemId, position, pool, isNew) =>
      isNew
        ? Promise.resolve({ itemId, chunkIds: item.chunks.map(({ chunkId }) => chunkId), position })
        : storedBefore(pool, itemId),
  };
};

const prepareSupersedeItem: Prepare<'item.supersede'> = (request) => ({
  ...common('item.supersede', request),
  needs: { itemIds: [request.data.oldId, request.data.newId] },
  decide: (state, atMs) => decideSupersedeItem(state, at(request, atMs)),
  answer: async (oldId, position, pool) => {
    const { rows } = await pool.query<{ head: string }>(
      'select superseded_head_id as head from library.items where id = $1',
      [oldId],
    );
    return { oldId, newId: request.data.newId, supersededById: rows[0]?.head ?? request.data.newId, position };
  },
});

export const PREPARE: { readonly [T in CommandType]: Prepare<T> } = {
  'workspace.create': prepareCreateWorkspace,
  'folder.create': prepareCreateFolder,
  'folder.configure': prepareConfigureFolder,
  'token.issue': prepareIssueToken,
  'token.revoke': prepareRevokeToken,
  'item.store': prepareStoreItem,
  'item.supersede': prepareSupersedeItem,
};
