import {
  fail,
  MATCH_REASONS,
  MEMORY_LABEL_CHARS_MAX,
  MEMORY_TEXT_CHARS_MAX,
  MemoryKind,
  NAME_CHARS_MAX,
  text,
  titleFrom,
  type CommandResult,
} from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { z } from 'zod';
import { ClientToken } from '../client-token.js';
import { oneLine } from '../hit-list.js';
import { defineTool } from '../tool.js';

const fields = z.strictObject({
  text: text(1, MEMORY_TEXT_CHARS_MAX).describe('The content to store.'),
  graphId: text(1, NAME_CHARS_MAX)
    .optional()
    .describe('Slug of the target engram, such as book-notes. It must exist; nothing is resolved.'),
  target_engram: text(1, NAME_CHARS_MAX)
    .optional()
    .describe(
      'Name of the target engram as a person says it, such as "Book Notes". Prefer this to graphId. The default ' +
        'engram when both are left out. stats lists the engrams with their readmes.',
    ),
  label: text(1, MEMORY_LABEL_CHARS_MAX)
    .optional()
    .describe('Short label shown beside the source in the Sources list; the beginning of the text when left out.'),
  kind: MemoryKind.default('clip').describe(
    'clip: a discrete fact, note or extracted text. ai-conversation: a turn or summary of the current conversation.',
  ),
  clientToken: ClientToken,
});

type Fields = z.output<typeof fields>;

const mistakeIn = (args: Fields): { readonly field: keyof Fields; readonly message: string } | undefined => {
  if (args.graphId !== undefined && args.target_engram !== undefined) {
    return { field: 'graphId', message: 'must be left out when target_engram is given: prefer target_engram' };
  }
  const blank = (['text', 'target_engram', 'label'] as const).find((field) => args[field]?.trim() === '');
  return blank && { field: blank, message: 'must not be blank' };
};

const input = fields.superRefine((args, context) => {
  const mistake = mistakeIn(args);
  if (mistake) context.addIssue({ code: 'custom', path: [mistake.field], message: mistake.message, input: args });
});

const output = z.strictObject({
  sourceId: z.string().describe('Id of the stored source.'),
  graphId: z.string().describe('Slug of the engram it is in.'),
  nodeCount: z.int().describe('Chunks written.'),
  position: z.int().describe('Position in the op-log.'),
});

const quoted = (name: string): string => `"${oneLine(name)}"`;

const asked = (choice: string): string =>
  `Nothing is stored yet: the user decides in the Cairn console ${choice}. ` +
  'Tell the user so, and do not call remember again for this text.';

type Waiting = Extract<CommandResult<'item.remember'>, { outcome: 'waiting' }>;

/** Separate fields for everything that a client must show its user, so that it need not parse the message. */
const undecided = (suggestedName: string, waiting: Waiting): AppError => {
  const { confirmationId, reason, candidates, folders } = waiting;
  if (reason === 'close') {
    const list = candidates.map(({ name, match }) => `${quoted(name)} (${match})`).join(', ');
    const message = `no engram is named exactly ${quoted(suggestedName)}; the closest are ${list}. ${asked('where it goes, or whether to create it')}`;
    const shown = candidates.map(({ name, slug, match }) => ({ name, graphId: slug, match }));
    return fail('engram.close_matches', message, { suggestedName, candidates: shown, confirmationId });
  }
  const list = folders.map(quoted).join(', ') || 'none';
  const message = `no engram is named like ${quoted(suggestedName)}; the existing ones are ${list}. ${asked('whether to create it')}`;
  return fail('engram.not_found', message, { suggestedName, engrams: folders, confirmationId });
};

const NAMES = { type: 'array', items: { type: 'string' } };
const CANDIDATE = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    graphId: { type: 'string' },
    match: { type: 'string', enum: MATCH_REASONS },
  },
  required: ['name', 'graphId', 'match'],
};

export const remember = defineTool({
  name: 'remember',
  title: 'Remember',
  description:
    'Store a new memory directly from the conversation. Name the engram in target_engram, as the user calls it; prefer ' +
    'that to graphId. A name that no engram has exactly is never written elsewhere: the call fails with the closest ' +
    'names, and the user decides in the console. Relay that to the user and do not retry.',
  when: 'for something from this conversation that the user wants kept, in the engram the user names.',
  input,
  output,
  failure: {
    suggestedName: { type: 'string', description: 'Only of a failure: the name that no engram has exactly.' },
    candidates: { type: 'array', items: CANDIDATE, description: 'Only of a failure: the closest engrams, best first.' },
    engrams: { ...NAMES, description: 'Only of a failure: the names of all engrams, when none is close.' },
    confirmationId: { type: 'string', description: 'Only of a failure: what the user is asked about in the console.' },
  },
  scope: 'memory:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  cameFrom: { slug: 'graphId', name: 'target_engram' },
  handle: async (args, { cairn }) => {
    const { text: body, graphId, target_engram: name, label, kind, clientToken } = args;
    const answer = await cairn.command('item.remember', { text: body, label, kind, slug: graphId, name, clientToken });
    if (answer.outcome === 'waiting') throw undecided(name ?? '', answer);
    const { itemId, folder, chunkCount, position } = answer;
    return {
      text: `Remembered ${quoted(label ?? titleFrom(body))} in ${folder} as ${itemId}.`,
      structured: { sourceId: itemId, graphId: folder, nodeCount: chunkCount, position },
    };
  },
});
