import { readerOf, readerSql, readerValues, visibleHead } from '@cairn/access';
import { CHUNKS_PER_OP_MAX, fail, type CommandData, type CommandResult } from '@cairn/contracts';
import { decideStoreItem, decideSupersedeItem, keyReused } from '@cairn/domain';
import type { ParsedRequest } from '@cairn/messaging';
import type { Pool } from 'pg';
import { clientTokenIn } from './client-token.js';
import { anyFolderOf, at, type Command } from './command.js';
import { sealItem } from './seal-item.js';
import { isVisible } from './visible-item.js';

const STORE_TOOL = 'store_knowledge';

/** The answer of an earlier store: its position is that of its last op, as in the first answer. */
const storedBefore = async (
  pool: Pool,
  { principal, data }: ParsedRequest<CommandData<'item.store'>>,
  itemId: string,
): Promise<CommandResult<'item.store'>> => {
  const { rows } = await pool.query<{ position: string; chunkIds: string[] }>(
    `select i.position + (i.chunk_count - 1) / $2 as position,
       array(select b.chunk_id from library.bodies b where b.item_id = i.id order by b.ordinal) as "chunkIds"
     from library.items i where i.id = $1`,
    [itemId, CHUNKS_PER_OP_MAX],
  );
  const [row] = rows;
  if (!row) throw fail('projection.unavailable', 'the entry is stored but cannot be read yet; try again', { itemId });
  if (!(await isVisible(pool, principal, data.surface, itemId))) throw keyReused(clientTokenIn(data, STORE_TOOL));
  return { itemId, chunkIds: row.chunkIds, position: Number(row.position) };
};

export const storeItem: Command<'item.store'> = {
  clientTokenOf: STORE_TOOL,
  prepare: (request, context) => {
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
      answer: ({ entityId: itemId, position, isNew }) =>
        isNew
          ? { itemId, chunkIds: item.chunks.map(({ chunkId }) => chunkId), position }
          : storedBefore(context.pool, request, itemId),
    };
  },
};

const HEAD_OF = `select ${visibleHead(readerSql(2))} as head
  from library.items i where i.id = $1`;

export const supersedeItem: Command<'item.supersede'> = {
  waitsForKeywordIndex: true,
  prepare: (request, { pool }) => ({
    needs: {
      itemIds: [request.data.oldId, request.data.newId],
      folders: anyFolderOf(request.principal),
    },
    decide: (state, atMs) => decideSupersedeItem(state, at(request, atMs)),
    answer: async ({ entityId: oldId, position }) => {
      const values = [oldId, ...readerValues(readerOf(request.principal, 'mcp'))];
      const { rows } = await pool.query<{ head: string | null }>(HEAD_OF, values);
      // If the chain continues outside what the caller may see, it ends for the caller with the entry it named itself.
      return { oldId, newId: request.data.newId, supersededById: rows[0]?.head ?? request.data.newId, position };
    },
  }),
};
