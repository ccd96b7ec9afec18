import { Uuid } from '@cairn/contracts';
import { z } from 'zod';
import { defineTool } from '../tool.js';

const input = z
  .strictObject({
    chunkId: Uuid.optional().describe('One chunk to remove; the rest of its source stays.'),
    sourceId: Uuid.optional().describe('A source to remove, with all its chunks. With chunkId: the source it is of.'),
  })
  .refine(({ chunkId, sourceId }) => chunkId !== undefined || sourceId !== undefined, {
    message: 'or sourceId is required',
    path: ['chunkId'],
  });

const output = z.strictObject({
  deleted: z.literal(true),
  chunksRemoved: z.int(),
  sourceRemoved: z.boolean().describe('Whether nothing is left of the source; so too when its last chunk was removed.'),
  position: z.int().describe('Position in the op-log.'),
});

export const forget = defineTool({
  name: 'forget',
  title: 'Forget for good',
  description:
    'Permanently remove one chunk (chunkId) or a source with all its chunks (sourceId) from the memory. At least one of ' +
    'the two is required; with both, only the chunk is removed, and it must be of that source. Cannot be undone: the ' +
    'op-log keeps that something was forgotten, but the content is gone. Nothing of a sensitive engram can be forgotten ' +
    'here: the user does that in the console.',
  input,
  output,
  scope: 'memory:forget',
  toolset: 'memory',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  errors: 'tool',
  handle: async ({ chunkId, sourceId }, { cairn }) => {
    const { deleted, chunksRemoved, sourceRemoved, receiptId, position } =
      chunkId === undefined
        ? await cairn.command('item.forget', { itemId: sourceId!, surface: 'mcp' })
        : await cairn.command('chunk.forget', {
            chunkId,
            surface: 'mcp',
            ...(sourceId === undefined ? {} : { itemId: sourceId }),
          });
    const chunks = chunksRemoved === 1 ? '1 chunk' : `${chunksRemoved} chunks`;
    return {
      text: `Forgotten for good: ${chunks}${sourceRemoved ? ' and the source itself' : ''}. Receipt: ${receiptId}.`,
      structured: { deleted, chunksRemoved, sourceRemoved, position },
    };
  },
});
