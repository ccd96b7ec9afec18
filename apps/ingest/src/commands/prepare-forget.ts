import { listsFolder, notFound, reachOf } from '@cairn/access';
import { fail, type CommandResult, type Principal } from '@cairn/contracts';
import { decideForgetChunk, decideForgetItem, decideIssueReceipt } from '@cairn/domain';
import type { Pool } from 'pg';
import { anyFolderOf, at, type Prepare } from './prepare-common.js';
import type { PreparedCommand } from './prepared-command.js';

/** Where it was, as the op says that has forgotten it. */
const FORGOTTEN_IN = `
select convert_from(o.body, 'UTF8')::jsonb -> 'data' ->> 'folderId' as folder
  from library.forgets f join archive.ops o on o.position = f.position
  where f.receipt_id = $1`;

const mayKnow = async (pool: Pool, principal: Principal, receiptId: string): Promise<boolean> => {
  const { rows } = await pool.query<{ folder: string }>(FORGOTTEN_IN, [receiptId]);
  return listsFolder(reachOf(principal), rows[0]?.folder);
};

/** To a caller that may not see the folder, a repeat names something that does not exist. */
const forgottenFor =
  (principal: Principal, thing: 'item' | 'chunk'): PreparedCommand['answer'] =>
  async (receiptId, position, pool, isNew): Promise<CommandResult<'item.forget' | 'chunk.forget'>> => {
    const { rows } = await pool.query<{ chunks: number; source: boolean }>(
      'select cardinality(chunk_ids) as chunks, source_removed as source from library.forgets where receipt_id = $1',
      [receiptId],
    );
    const [row] = rows;
    if (!row) throw fail('projection.unavailable', 'it is forgotten, but the receipt cannot be read yet; try again');
    if (!isNew && !(await mayKnow(pool, principal, receiptId))) throw notFound(thing);
    return { deleted: true, chunksRemoved: row.chunks, sourceRemoved: row.source, receiptId, position };
  };

export const prepareForgetItem: Prepare<'item.forget'> = (request, { ids }) => {
  const { principal, data: command } = request;
  const data = { command, receiptId: ids.next() };
  return {
    needs: { forgetting: { itemIds: [command.itemId], chunkIds: [] }, folders: anyFolderOf(principal) },
    decide: (state, atMs) => decideForgetItem(state, { ...at(request, atMs), data }),
    answer: forgottenFor(principal, 'item'),
  };
};

export const prepareForgetChunk: Prepare<'chunk.forget'> = (request, { ids }) => {
  const { principal, data: command } = request;
  const data = { command, receiptId: ids.next() };
  return {
    needs: { forgetting: { itemIds: [], chunkIds: [command.chunkId] }, folders: anyFolderOf(principal) },
    decide: (state, atMs) => decideForgetChunk(state, { ...at(request, atMs), data }),
    answer: forgottenFor(principal, 'chunk'),
  };
};

export const prepareIssueReceipt: Prepare<'receipt.issue'> = (request) => ({
  needs: { receiptIds: [request.data.receiptId] },
  decide: (state, atMs) => decideIssueReceipt(state, at(request, atMs)),
  answer: (receiptId, position) => Promise.resolve({ receiptId, position }),
});
