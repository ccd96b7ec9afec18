import { listsFolder, notFound, reachOf } from '@cairn/access';
import { fail, type CommandResult, type Principal } from '@cairn/contracts';
import { decideForgetChunk, decideForgetItem, decideIssueReceipt } from '@cairn/domain';
import type { Pool } from 'pg';
import { anyFolderOf, at, type Command, type CommandServices } from './command.js';
import type { PreparedCommand } from './prepared-command.js';
import { recordForgettings } from './record-forgettings.js';

/** The folder that the item was in, from the op of its forgetting. */
const FORGOTTEN_IN = `
select convert_from(o.body, 'UTF8')::jsonb -> 'data' ->> 'folderId' as folder
  from library.forgets f join archive.ops o on o.position = f.position
  where f.receipt_id = $1`;

const mayKnow = async (pool: Pool, principal: Principal, receiptId: string): Promise<boolean> => {
  const { rows } = await pool.query<{ folder: string }>(FORGOTTEN_IN, [receiptId]);
  return listsFolder(reachOf(principal), rows[0]?.folder);
};

type Forgotten = CommandResult<'item.forget' | 'chunk.forget'>;

/** For a caller that may not see the folder, a repeat reports "not found". */
const forgottenFor =
  (pool: Pool, principal: Principal, thing: 'item' | 'chunk'): PreparedCommand<Forgotten>['answer'] =>
  async ({ entityId: receiptId, position, isNew }) => {
    const { rows } = await pool.query<{ chunks: number; source: boolean }>(
      'select cardinality(chunk_ids) as chunks, source_removed as source from library.forgets where receipt_id = $1',
      [receiptId],
    );
    const [row] = rows;
    if (!row) throw fail('projection.unavailable', 'it is forgotten, but the receipt cannot be read yet; try again');
    if (!isNew && !(await mayKnow(pool, principal, receiptId))) throw notFound(thing);
    return { deleted: true, chunksRemoved: row.chunks, sourceRemoved: row.source, receiptId, position };
  };

const recordForgetting = async (
  _: unknown,
  append: () => Promise<Forgotten>,
  services: CommandServices,
): Promise<Forgotten> => {
  const result = await append();
  await recordForgettings([result.receiptId], services);
  return result;
};

/** Both forget commands belong to the same tool. */
const FORGET_TOOL = 'forget';

export const forgetItem: Command<'item.forget'> = {
  waitsForKeywordIndex: true,
  clientTokenOf: FORGET_TOOL,
  prepare: (request, { ids, pool }) => {
    const { principal, data: command } = request;
    const data = { command, receiptId: ids.next() };
    return {
      needs: { forgetting: { itemIds: [command.itemId], chunkIds: [] }, folders: anyFolderOf(principal) },
      decide: (state, atMs) => decideForgetItem(state, { ...at(request, atMs), data }),
      answer: forgottenFor(pool, principal, 'item'),
    };
  },
  around: recordForgetting,
};

export const forgetChunk: Command<'chunk.forget'> = {
  waitsForKeywordIndex: true,
  clientTokenOf: FORGET_TOOL,
  prepare: (request, { ids, pool }) => {
    const { principal, data: command } = request;
    const data = { command, receiptId: ids.next() };
    return {
      needs: { forgetting: { itemIds: [], chunkIds: [command.chunkId] }, folders: anyFolderOf(principal) },
      decide: (state, atMs) => decideForgetChunk(state, { ...at(request, atMs), data }),
      answer: forgottenFor(pool, principal, 'chunk'),
    };
  },
  around: recordForgetting,
};

export const issueReceipt: Command<'receipt.issue'> = {
  generatedFields: ['stores', 'issuedAt', 'keyId', 'signature'],
  prepare: (request) => ({
    needs: { receiptIds: [request.data.receiptId] },
    decide: (state, atMs) => decideIssueReceipt(state, at(request, atMs)),
    answer: ({ entityId, position }) => ({ receiptId: entityId, position }),
  }),
};
