import { AGENT_ITEM_CONFIDENCE, fail, type CommandData, type CommandResult } from '@cairn/contracts';
import { decideAttachItem, keyReused } from '@cairn/domain';
import type { ParsedRequest } from '@cairn/messaging';
import { linkId } from '@cairn/projections';
import type { Pool } from 'pg';
import { anyFolderOf, type Command } from './command.js';
import { sealItem } from './seal-item.js';
import { isVisible } from './visible-item.js';

const itemOf = ({ title, text, fileName }: CommandData<'item.attach'>): CommandData<'item.store'> => ({
  title,
  text,
  kind: 'file',
  inKb: true,
  tags: [],
  source: { kind: 'file', name: fileName },
  surface: 'mcp',
  confidence: AGENT_ITEM_CONFIDENCE,
  expiresAt: null,
});

const linkTo = (workspaceId: string, itemId: string, logCardId: string): string =>
  linkId(workspaceId, { fromItemId: itemId, toItemId: logCardId, type: 'attached_to' });

const attachedBefore = async (
  pool: Pool,
  { principal, data }: ParsedRequest<CommandData<'item.attach'>>,
  itemId: string,
  position: number,
): Promise<CommandResult<'item.attach'>> => {
  const sql = 'select chunk_count as "chunkCount" from library.items where id = $1';
  const { rows } = await pool.query<{ chunkCount: number }>(sql, [itemId]);
  const [row] = rows;
  if (!row) throw fail('projection.unavailable', 'the file is stored but cannot be read yet; try again', { itemId });
  if (!(await isVisible(pool, principal, 'mcp', itemId))) throw keyReused();
  return { itemId, linkId: linkTo(principal.workspaceId, itemId, data.logCardId), ...row, position };
};

export const attachItem: Command<'item.attach'> = {
  prepare: (request, context) => {
    const { principal, data, id: commandId } = request;
    const { workspaceId } = principal;
    const { item, keys } = sealItem(workspaceId, itemOf(data), context);
    const { logCardId } = data;
    const link = linkTo(workspaceId, item.itemId, logCardId);
    return {
      needs: { links: { ids: [], itemIds: [logCardId] }, folders: anyFolderOf(principal) },
      decide: (state, atMs) =>
        decideAttachItem(state, { commandId, principal, atMs, data: { item, logCardId, linkId: link } }),
      beforeAppend: () => context.vault.keep(workspaceId, item.itemId, keys),
      answer: ({ entityId: itemId, position, isNew }) =>
        isNew
          ? { itemId, linkId: link, chunkCount: item.chunks.length, position }
          : attachedBefore(context.pool, request, itemId, position),
    };
  },
};
