import { CHUNK_CHARS_MAX, CORRECTION_INSTRUCTION_CHARS_MAX, text, Uuid } from '@cairn/contracts';
import { z } from 'zod';
import { fenced } from '../fence.js';
import { defineTool } from '../tool.js';
import { diffOf } from './diff.js';

const input = z.strictObject({
  chunkId: Uuid.describe('The chunk to correct: the chunkId of a recall or search result.'),
  proposal: text(1, CORRECTION_INSTRUCTION_CHARS_MAX).describe(
    'What should change and why, in plain words, such as "the endpoint changed from /v1/search to /v2/query".',
  ),
  newText: text(1, CHUNK_CHARS_MAX)
    .optional()
    .describe(
      'The whole text of the chunk as it should read. Prefer to give it: then nothing has to be guessed, and proposal ' +
        'is only the reason. Left out: the change is worked out from proposal.',
    ),
});

const output = z.strictObject({
  correctionId: z.string().describe('Give this to apply once the user agrees.'),
  chunkId: z.string(),
  originalText: z.string(),
  proposedText: z.string(),
  diff: z
    .string()
    .describe(
      'What changes: lines as they are with "- " before them, as they would be with "+ ". Of a longer text only the ' +
        'sentences that change and their neighbours.',
    ),
  expiresAt: z.string().describe('After this the correction cannot be applied any more: ten minutes from now.'),
});

export const correct = defineTool({
  name: 'correct',
  title: 'Propose a correction',
  description:
    'Propose a natural-language correction to an existing chunk. Give the corrected text in newText where you can. ' +
    'Writes nothing: returns a diff of what would change, and a correctionId that is valid for 10 minutes. Always show ' +
    'the diff to the user before calling apply, and call apply only when the user agrees.',
  when: 'to propose a change to a passage that is wrong; writes nothing yet.',
  input,
  output,
  scope: 'memory:write',
  annotations: { readOnlyHint: true, openWorldHint: false },
  cameFrom: { instruction: 'proposal' },
  handle: async ({ chunkId, proposal, newText }, { cairn }) => {
    const proposed = await cairn.command('chunk.propose', { chunkId, instruction: proposal, newText });
    const diff = diffOf(proposed.originalText, proposed.proposedText);
    const head =
      `Nothing is changed yet. Show this diff to the user; if the user agrees, call apply with correctionId ` +
      `${proposed.correctionId} before ${proposed.expiresAt}.`;
    return { text: fenced(head, diff), structured: { ...proposed, diff } };
  },
});
