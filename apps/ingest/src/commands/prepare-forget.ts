import { fail, type CommandResult, type Principal } from '@cairn/contracts';
import { decideForgetChunk, decideForgetItem, decideIssueReceipt } from '@cairn/domain';
import type { Pool } from 'pg';
import { at, type Prepare } from './prepare-common.js';

/** Which folder the item is in is not known before it is loaded. */
const anyFolderOf = ({ folderIds, isUnscoped }: Principal) => ({ ids: folderIds, slugs: [], all: isUnscoped });

const forgotten = async (
  receiptId: string,
  position: number,
  pool: Pool,
): Promise<CommandResult<'item.forget' | 'chunk.forget'>> => {
  const { rows } = await pool.query<{ chunks: number; source: boolean }>(
    'select cardinality(chunk_ids) as chunks, source_removed as source from library.forgets where receipt_id = $1',
    [receiptId],
  );
  const [row] = rows;
  if (!row) throw fail('projection.unavailable', 'it is forgotten, but the receipt cannot be read yet; try again');
  return { deleted: true, chunksRemoved: row.chunks, sourceRemoved: row.source, receiptId, position };
};

export const prepareForgetItem: Prepare<'item.forget'> = (request, { ids }) => {
  const { principal, data: command } = request;
  const data = { command, receiptId: ids.next() };
  return {
    needs: { forgetting: { itemIds: [command.itemId], chunkIds: [] }, folders: anyFolderOf(principal) },
    decide: (state, atMs) => decideForgetItem(state, { ...at(request, atMs), data }),
    answer: forgotten,
  };
};

export const prepareForgetChunk: Prepare<'chunk.forget'> = (request, { ids }) => {
  const { principal, data: command } = request;
  const data = { command, receiptId: ids.next() };
  return {
    needs: { forgetting: { itemIds: [], chunkIds: [command.chunkId] }, folders: anyFolderOf(principal) },
    decide: (state, atMs) => decideForgetChunk(state, { ...at(request, atMs), data }),
    answer: forgotten,
  };
};

export const prepareIssueReceipt: Prepare<'receipt.issue'> = (request) => ({
  needs: { receiptIds: [request.data.receiptId] },
  decide: (state, atMs) => decideIssueReceipt(state, at(request, atMs)),
  answer: (receiptId, position) => Promise.resolve({ receiptId, position }),
});
