import {
  ATTACHED_FILE_BYTES_MAX,
  fail,
  filled,
  ITEM_TITLE_CHARS_MAX,
  plural,
  SOURCE_NAME_CHARS_MAX,
  type Wire,
} from '@cairn/contracts';
import { z } from 'zod';
import type { FilePort } from '../file.port.js';
import type { ToolContext } from '../tool.js';
import { artifactUri } from './artifact.js';
import { defineGraphTool } from './graph-tool.js';
import { attachFileHints } from './hints/attach-file.hints.js';

const BASE64_CHARS_MAX = Math.ceil(ATTACHED_FILE_BYTES_MAX / 3) * 4;

const input = z.strictObject({
  file_name: filled(SOURCE_NAME_CHARS_MAX).describe('With its extension, which says what kind of file it is.'),
  content_base64: z
    .base64({ error: 'must be base64' })
    .min(4)
    .max(BASE64_CHARS_MAX)
    .describe(`The file, at most ${ATTACHED_FILE_BYTES_MAX} bytes.`),
  title: filled(ITEM_TITLE_CHARS_MAX).optional().describe('The title of the document, else its name, when left out.'),
});
export type AttachFileArguments = z.output<typeof input>;

const output = z.strictObject({
  artifact: z.string().describe('URI for resources/read: the text of the file.'),
  log_card_id: z.string(),
  link_id: z.string(),
  chunk_count: z.int(),
  position: z.int().describe('Position in the op-log.'),
});
export type AttachFileAnswer = Wire<typeof output>;

/** The log card comes from the run and never from an argument: an agent attaches only to its own run. */
const runOf = ({ run, files }: ToolContext): { readonly logCardId: string; readonly files: FilePort } => {
  if (run && files) return { logCardId: run.logCardId, files };
  throw fail('run.missing', 'no run of an agent is under way that a file could be attached to');
};

export const attachFile = defineGraphTool({
  name: 'carabase_attach_file',
  title: 'Attach a file to this run',
  description:
    'Stores a file as an artifact and attaches it to the log card of the run that calls. Only for agents that run inside the host.',
  when: 'to keep a file that this run has made.',
  input,
  output,
  scope: 'graph:write',
  surfaces: ['in-process'],
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  hints: attachFileHints,
  cameFrom: { fileName: 'file_name', file: 'file_name', text: 'content_base64' },
  handle: async ({ file_name, content_base64, title }, context) => {
    const { logCardId, files } = runOf(context);
    const file = await files.read({ name: file_name, bytes: Buffer.from(content_base64, 'base64') });
    const { text, name: fileName } = file;
    const made = await context.cairn.command('item.attach', { logCardId, title: title ?? file.title, text, fileName });
    const artifact = artifactUri(made.itemId);
    return {
      text: `Attached ${plural(made.chunkCount, 'chunk')} as ${artifact}.`,
      structured: {
        artifact,
        log_card_id: logCardId,
        link_id: made.linkId,
        chunk_count: made.chunkCount,
        position: made.position,
      },
    };
  },
});
