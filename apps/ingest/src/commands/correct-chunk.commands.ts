import { fail } from '@cairn/contracts';
import { decideCorrectChunk } from '@cairn/domain';
import type { Pool } from 'pg';
import { correctionCommandId } from './command-id.js';
import { anyFolderOf, type Command } from './command.js';

const opIdAt = async (pool: Pool, position: number): Promise<string> => {
  const { rows } = await pool.query<{ id: string }>('select op_id as id from archive.ops where position = $1', [
    position,
  ]);
  const [row] = rows;
  if (!row) throw fail('projection.unavailable', 'the correction is applied but cannot be read yet; try again');
  return row.id;
};

/** The command's id is derived from the correction's id, so the answer is kept forever for all tokens of the agent. */
const prepare: Command<'chunk.correct'>['prepare'] = async ({ principal, data }, { corrections, pool }) => {
  const { correctionId } = data;
  const id = correctionCommandId(correctionId);
  const correction = await corrections.get(principal.workspaceId, correctionId);
  return {
    id,
    needs: {
      ...(correction && { itemIds: [correction.itemId], chunksOf: [correction.itemId] }),
      folders: anyFolderOf(principal),
    },
    decide: (state, atMs) => decideCorrectChunk(state, { commandId: id, principal, atMs, data: correction }),
    answer: async ({ entityId: chunkId, position }) => ({
      chunkId,
      position,
      opId: await opIdAt(pool, position),
      isEmbedded: false,
    }),
  };
};

export const correctChunk: Command<'chunk.correct'> = {
  waitsForKeywordIndex: true,
  clientTokenOf: 'apply',
  prepare,
  around: (request, append, { corrections }) => corrections.apply(request, append),
};
