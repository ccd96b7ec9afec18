import { Uuid } from '@cairn/contracts';
import { z } from 'zod';
import { defineTool } from '../tool.js';

export const supersedeKnowledge = defineTool({
  name: 'supersede_knowledge',
  title: 'Supersede knowledge',
  description:
    'Mark one entry as replaced by another; search then hides the old one. The calling agent must own at least one of ' +
    'the two. Cycles are refused. An entry that was superseded before is then replaced by newId instead.',
  when: 'to mark an outdated entry as replaced by a newer one.',
  input: z.strictObject({
    oldId: Uuid.describe('The entry that will be marked superseded.'),
    newId: Uuid.describe('Its replacement.'),
  }),
  output: z.strictObject({
    oldId: z.string(),
    newId: z.string(),
    supersededById: z.string().describe('The newest entry of the chain that now replaces oldId.'),
    position: z.int().describe('Position in the op-log.'),
  }),
  scope: 'knowledge:write',
  annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  handle: async (args, { cairn }) => {
    const result = await cairn.command('item.supersede', args);
    return { text: `${result.oldId} is superseded by ${result.supersededById}.`, structured: result };
  },
});
