import { readerOf, readerSql, readerValues, visibleHead } from '@cairn/access';
import { CHUNKS_PER_OP_MAX, fail, type CommandData, type LoggedCommandType } from '@cairn/contracts';
import {
  decideConfigureFolder,
  decideCreateFolder,
  decideCreateWorkspace,
  decideIssueToken,
  decideRevokeToken,
  decideSetQuota,
  decideStoreItem,
  decideSupersedeItem,
  keyReused,
} from '@cairn/domain';
import type { Pool } from 'pg';
import { prepareForgetChunk, prepareForgetItem, prepareIssueReceipt } from './prepare-forget.js';
import { clientTokenOf } from './client-token.js';
import { payloadHashOf } from './payload-hash.js';
import { anyFolderOf, at, type CommandRequest, type Prepare, type PrepareContext } from './prepare-common.js';
import { prepareRemember, prepareResolveConfirmation } from './prepare-memory.js';
import { prepareCorrectChunk } from './prepare-correct.js';
import { prepareUpdateItem } from './prepare-update.js';
import type { PreparedCommand } from './prepared-command.js';
import { sealItem } from './seal-item.js';
import { isVisible } from './visible-item.js';

const prepareCreateWorkspace: Prepare<'workspace.create'> = (request) => ({
  needs: { workspaceSlugs: [request.data.slug] },
  decide: (state, atMs) => decideCreateWorkspace(state, at(request, atMs)),
  answer: (workspaceId, position) => Promise.resolve({ workspaceId, position }),
});

const prepareCreateFolder: Prepare<'folder.create'> = (request) => ({
  needs: { folders: { ids: [request.data.folderId], slugs: [request.data.slug] } },
  decide: (state, atMs) => decideCreateFolder(state, at(request, atMs)),
  answer: (folderId, position) => Promise.resolve({ folderId, position }),
});

const prepareConfigureFolder: Prepare<'folder.configure'> = (request) => ({
  needs: { folders: { ids: [request.data.folderId], slugs: [] } },
  decide: (state, atMs) => decideConfigureFolder(state, at(request, atMs)),
  answer: (folderId, position) => Promise.resolve({ folderId, position }),
});

const prepareIssueToken: Prepare<'token.issue'> = (request) => ({
  needs: { tokenIds: [request.data.tokenId], folders: { ids: request.data.folderIds, slugs: [] } },
  decide: (state, atMs) => decideIssueToken(state, at(request, atMs)),
  answer: (tokenId, position) => Promise.resolve({ tokenId, position }),
});

const prepareRevokeToken: Prepare<'token.revoke'> = (request) => ({
  needs: { tokenIds: [request.data.tokenId] },
  decide: (state, atMs) => decideRevokeToken(state, at(request, atMs)),
  answer: (tokenId, position) => Promise.resolve({ tokenId, position }),
});

/** The answer of an earlier store: its position is that of its last op, as the first answer said. */
const storedBefore = async (
  pool: Pool,
  { principal, data }: CommandRequest<CommandData<'item.store'>>,
  itemId: string,
): Promise<unknown> => {
  const { rows } = await pool.query<{ position: string; chunkIds: string[] }>(
    `select i.position + (i.chunk_count - 1) / $2 as position,
       array(select b.chunk_id from library.bodies b where b.item_id = i.id order by b.ordinal) as "chunkIds"
     from library.items i where i.id = $1`,
    [itemId, CHUNKS_PER_OP_MAX],
  );
  const [row] = rows;
  if (!row) throw fail('projection.unavailable', 'the entry is stored but cannot be read yet; try again', { itemId });
  if (!(await isVisible(pool, principal, data.surface, itemId))) throw keyReused(clientTokenOf('item.store', data));
  return { itemId, chunkIds: row.chunkIds, position: Number(row.position) };
};

const prepareStoreItem: Prepare<'item.store'> = (request, context) => {
  const { principal, data } = request;
  const { item, keys } = sealItem(principal.workspaceId, data, context);
  const folderIds = data.folderId === undefined ? principal.folderIds : [data.folderId];
  return {
    needs: {
      folders: { ids: folderIds, slugs: [] },
      ...(data.kind === 'knowledge' && { quotas: true }),
    },
    decide: (state, atMs) => decideStoreItem(state, { commandId: request.id, principal, atMs, data: item }),
    beforeAppend: () => context.vault.keep(principal.workspaceId, item.itemId, keys),
    answer: (itemId, position, pool, isNew) =>
      isNew
        ? Promise.resolve({ itemId, chunkIds: item.chunks.map(({ chunkId }) => chunkId), position })
        : storedBefore(pool, request, itemId),
  };
};

const HEAD_OF = `select ${visibleHead(readerSql(2))} as head
  from library.items i where i.id = $1`;

const prepareSupersedeItem: Prepare<'item.supersede'> = (request) => ({
  needs: {
    itemIds: [request.data.oldId, request.data.newId],
    folders: anyFolderOf(request.principal),
  },
  decide: (state, atMs) => decideSupersedeItem(state, at(request, atMs)),
  answer: async (oldId, position, pool) => {
    const values = [oldId, ...readerValues(readerOf(request.principal, 'mcp'))];
    const { rows } = await pool.query<{ head: string | null }>(HEAD_OF, values);
    // Where the chain leaves what the caller may see, it ends for the caller with the entry it named itself.
    return { oldId, newId: request.data.newId, supersededById: rows[0]?.head ?? request.data.newId, position };
  },
});

const prepareSetQuota: Prepare<'quota.set'> = (request) => ({
  needs: { quotas: true },
  decide: (state, atMs) => decideSetQuota(state, at(request, atMs)),
  answer: (_, position) => Promise.resolve({ name: request.data.name, position }),
});

const PREPARE: { readonly [T in LoggedCommandType]: Prepare<T> } = {
  'workspace.create': prepareCreateWorkspace,
  'folder.create': prepareCreateFolder,
  'folder.configure': prepareConfigureFolder,
  'token.issue': prepareIssueToken,
  'token.revoke': prepareRevokeToken,
  'item.store': prepareStoreItem,
  'item.update': prepareUpdateItem,
  'item.supersede': prepareSupersedeItem,
  'quota.set': prepareSetQuota,
  'chunk.correct': prepareCorrectChunk,
  'item.remember': prepareRemember,
  'confirmation.resolve': prepareResolveConfirmation,
  'item.forget': prepareForgetItem,
  'chunk.forget': prepareForgetChunk,
  'receipt.issue': prepareIssueReceipt,
};

/** What every command has in common, and what is its own. */
export const prepare = async <T extends LoggedCommandType>(
  type: T,
  request: CommandRequest<CommandData<T>>,
  context: PrepareContext,
): Promise<PreparedCommand> => {
  const { id, sentAs, correlationId, principal, data } = request;
  const payloadHash = payloadHashOf(context.secrets, principal.workspaceId, type, data as object);
  const clientToken = clientTokenOf(type, data as object);
  const shared = { type, id, sentAs, correlationId, principal, payloadHash, clientToken };
  return { ...shared, ...(await PREPARE[type](request, context)) };
};
