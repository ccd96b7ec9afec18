import {
  AGENT_ITEM_CONFIDENCE,
  IsoTime,
  KNOWLEDGE_BODY_CHARS_MAX,
  Tags,
  TASK_ID_CHARS_MAX,
  text,
  TITLE_CHARS_MAX,
} from '@cairn/contracts';
import { z } from 'zod';
import { ClientToken } from '../client-token.js';
import { oneLine } from '../hit-list.js';
import { defineTool } from '../tool.js';

const input = z.strictObject({
  title: text(1, TITLE_CHARS_MAX).describe('A short title by which the entry is recognised.'),
  body: text(1, KNOWLEDGE_BODY_CHARS_MAX).describe('The knowledge itself.'),
  tags: Tags.default([]).describe(
    'Kebab-case tags; upper case is folded, anything else that is not kebab-case is refused. The same tag counts once.',
  ),
  confidence: z.int().min(0).max(100).default(AGENT_ITEM_CONFIDENCE).describe('How sure the author is, in percent.'),
  expiresAt: IsoTime.optional().describe('ISO-8601 time, strictly in the future, after which search hides the entry.'),
  taskRef: z
    .strictObject({
      taskId: text(1, TASK_ID_CHARS_MAX).describe('Id of the task.'),
      kind: z.enum(['references', 'produced']).describe('Whether the task refers to the entry or produced it.'),
    })
    .optional()
    .describe('Links the entry to a task.'),
  clientToken: ClientToken,
});

const output = z.strictObject({
  id: z.string(),
  embeddingStatus: z.literal('pending').describe('The entry is found by its words at once, by its meaning soon.'),
  position: z.int().describe('Position in the op-log.'),
});

export const storeKnowledge = defineTool({
  name: 'store_knowledge',
  title: 'Store knowledge',
  description:
    'Store a piece of knowledge for later search. It is findable by its words at once; its embedding follows out of ' +
    'band. Repeating a call with the same clientToken within 60 seconds stores once.',
  when: 'for a finding of your own, with a title, tags, a confidence and an expiry.',
  input,
  output,
  scope: 'knowledge:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  cameFrom: { text: 'body' },
  handle: async (args, { cairn }) => {
    const { body, expiresAt, taskRef, clientToken, ...rest } = args;
    const stored = await cairn.command('item.store', {
      ...rest,
      text: body,
      inKb: true,
      kind: 'knowledge',
      source: { kind: 'agent' },
      surface: 'mcp',
      // Whether the time is in the future is decided when the item is stored: a repeat under its clientToken may come
      // later.
      expiresAt: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
      ...(taskRef ? { taskRef } : {}),
      ...(clientToken ? { clientToken } : {}),
    });
    return {
      text: `Stored "${oneLine(args.title)}" as ${stored.itemId}.`,
      structured: { id: stored.itemId, embeddingStatus: 'pending' as const, position: stored.position },
    };
  },
});
