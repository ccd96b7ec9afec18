import { CORRECTION_INSTRUCTION_CHARS_MAX, text, Uuid } from '@cairn/contracts';
import { z } from 'zod';
import { fenced } from '../fence.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({
  chunkId: Uuid.describe('The chunk to correct: the chunkId of a recall or search result.'),
  proposal: text(1, CORRECTION_INSTRUCTION_CHARS_MAX).describe(
    'What should change, in plain words, such as "the endpoint changed from /v1/search to /v2/query".',
  ),
});

const output = z.strictObject({
  correctionId: z.string().describe('Give this to apply once the user agrees.'),
  chunkId: z.string(),
  originalText: z.string(),
  proposedText: z.string(),
  diff: z.string().describe('Every line as it is with "- " before it, then every line as it would be with "+ ".'),
  expiresAt: z.string().describe('After this the correction cannot be applied any more: ten minutes from now.'),
});

const prefixed = (prefix: string, lines: string): string =>
  lines
    .split('\n')
    .map((line) => `${prefix} ${line}`)
    .join('\n');

export const diffOf = (before: string, after: string): string => `${prefixed('-', before)}\n${prefixed('+', after)}`;

export const correct = defineTool({
  name: 'correct',
  title: 'Propose a correction',
  description:
    'Propose a natural-language correction to an existing chunk. Writes nothing: returns a diff of the text as it is and ' +
    'as it would be, and a correctionId that is valid for 10 minutes. Always show the diff to the user before calling ' +
    'apply, and call apply only when the user agrees.',
  when: 'to propose a change to a passage that is wrong; writes nothing yet.',
  input,
  output,
  scope: 'memory:write',
  toolset: 'memory',
  annotations: { readOnlyHint: true, openWorldHint: false },
  errors: 'tool',
  cameFrom: { instruction: 'proposal' },
  handle: async ({ chunkId, proposal }, { cairn }) => {
    const proposed = await cairn.command('chunk.propose', { chunkId, instruction: proposal });
    const diff = diffOf(proposed.originalText, proposed.proposedText);
    const head =
      `Nothing is changed yet. Show this diff to the user; if the user agrees, call apply with correctionId ` +
      `${proposed.correctionId} before ${proposed.expiresAt}.`;
    return { text: fenced(head, diff), structured: { ...proposed, diff } };
  },
});
