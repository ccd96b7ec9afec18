import { plural, Uuid, type CommandResult } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { z } from 'zod';
import { ClientToken } from '../client-token.js';
import { defineTool, type ToolAnswer } from '../tool.js';

const input = z
  .strictObject({
    chunkId: Uuid.optional().describe('One chunk to remove; the rest of its source stays.'),
    sourceId: Uuid.optional().describe('A source to remove, with all its chunks. With chunkId: the source it is of.'),
    clientToken: ClientToken,
  })
  .refine(({ chunkId, sourceId }) => chunkId !== undefined || sourceId !== undefined, {
    message: 'or sourceId is required',
    path: ['chunkId'],
  });

const output = z.strictObject({
  deleted: z.boolean().describe('false: there is no such thing, or no longer, or none that this caller may see.'),
  chunksRemoved: z.int(),
  sourceRemoved: z.boolean().describe('Whether nothing is left of the source; so too when its last chunk was removed.'),
  position: z.int().optional().describe('Position in the op-log; only when something was deleted.'),
});

const NOT_THERE: ReadonlySet<string> = new Set(['item.not_found', 'chunk.not_found']);

/**
 * The same answer for an item that was forgotten before, never existed, or is not visible to the caller, so that it
 * does not distinguish between them.
 */
const nothingThere = (thrown: unknown): undefined => {
  if (thrown instanceof AppError && NOT_THERE.has(thrown.code)) return undefined;
  throw thrown;
};

const answerOf = (
  forgotten: CommandResult<'item.forget' | 'chunk.forget'> | undefined,
): ToolAnswer<z.input<typeof output>> => {
  if (!forgotten) {
    return {
      text: 'Nothing was forgotten: there is no such chunk or source, or no longer.',
      structured: { deleted: false, chunksRemoved: 0, sourceRemoved: false },
    };
  }
  const { deleted, chunksRemoved, sourceRemoved, receiptId, position } = forgotten;
  return {
    text: `Forgotten for good: ${plural(chunksRemoved, 'chunk')}${sourceRemoved ? ' and the source itself' : ''}. Receipt: ${receiptId}.`,
    structured: { deleted, chunksRemoved, sourceRemoved, position },
  };
};

export const forget = defineTool({
  name: 'forget',
  title: 'Forget for good',
  description:
    'Permanently remove one chunk (chunkId) or a source with all its chunks (sourceId) from the memory. At least one of ' +
    'the two is required; with both, only the chunk is removed, and it must be of that source. Cannot be undone: the ' +
    'op-log keeps that something was forgotten, but the content is gone. What is not there, or was forgotten before, is ' +
    'answered with deleted: false. Nothing of a sensitive engram can be forgotten here: the user does that in the console.',
  when: 'to erase a passage or a source for good, when the user asks for it.',
  input,
  output,
  scope: 'memory:forget',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  handle: async ({ chunkId, sourceId, clientToken }, { cairn }) => {
    const how = { surface: 'mcp' as const, ...(clientToken === undefined ? {} : { clientToken }) };
    const forgetting =
      chunkId === undefined
        ? cairn.command('item.forget', { itemId: sourceId!, ...how })
        : cairn.command('chunk.forget', {
            chunkId,
            ...how,
            ...(sourceId === undefined ? {} : { itemId: sourceId }),
          });
    return answerOf(await forgetting.catch(nothingThere));
  },
});
