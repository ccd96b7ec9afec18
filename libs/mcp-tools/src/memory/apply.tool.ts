import { Uuid } from '@cairn/contracts';
import { z } from 'zod';
import { ClientToken } from '../client-token.js';
import { defineTool } from '../tool.js';

export const apply = defineTool({
  name: 'apply',
  title: 'Apply a correction',
  description:
    'Commit a correction that was proposed by correct, once the user has seen its diff and agrees. Overwrites the text of ' +
    'the chunk and re-embeds it; the op-log keeps the old and the new text. Fails when the correction is older than 10 ' +
    'minutes, or when the text has changed since: then call correct again. Applying twice changes nothing more.',
  when: 'to carry out a proposed correction, once the user agrees to its diff.',
  input: z.strictObject({
    correctionId: Uuid.describe('The correctionId that correct returned.'),
    clientToken: ClientToken,
  }),
  output: z.strictObject({
    chunkId: z.string(),
    applied: z.literal(true),
    newEmbeddingComputed: z
      .boolean()
      .describe('Whether search by meaning knows the new text already. If not, it follows by itself.'),
    opLogEventId: z.string().describe('The op of this correction in the op-log, with the old and the new text.'),
    position: z.int().describe('Position in the op-log.'),
  }),
  scope: 'memory:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  handle: async (args, { cairn }) => {
    const { chunkId, opId, isEmbedded, position } = await cairn.command('chunk.correct', args);
    const pending = isEmbedded ? '' : ' Its embedding is not computed yet and follows by itself.';
    return {
      text: `The correction is applied to chunk ${chunkId}.${pending}`,
      structured: { chunkId, applied: true as const, newEmbeddingComputed: isEmbedded, opLogEventId: opId, position },
    };
  },
});
