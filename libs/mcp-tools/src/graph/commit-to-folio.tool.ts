import {
  ExtraMetadata,
  filled,
  MATCH_REASONS,
  MEMORY_TEXT_CHARS_MAX,
  NAME_CHARS_MAX,
  plural,
  type Wire,
} from '@cairn/contracts';
import { z } from 'zod';
import { ClientToken } from '../client-token.js';
import { oneLine } from '../hit-list.js';
import { artifactUri } from './artifact.js';
import { defineGraphTool } from './graph-tool.js';
import { commitToFolioHints } from './hints/commit-to-folio.hints.js';

const input = z.strictObject({
  folioName: filled(NAME_CHARS_MAX).describe('Name of an existing folio. None is created; stats lists them.'),
  content: filled(MEMORY_TEXT_CHARS_MAX).describe('The prose to store.'),
  extraMetadata: ExtraMetadata.optional().describe(
    'Kept with the commit as it is, at most 16 KiB. sources: what the text was written from.',
  ),
  clientToken: ClientToken,
});
export type CommitToFolioArgs = z.output<typeof input>;

const output = z.strictObject({
  commit_id: z.string().describe('The memory_id of the commit.'),
  folio: z.string().describe('Display name of the folio.'),
  folio_id: z.string(),
  artifact: z.string().describe('URI for resources/read: the full text.'),
  chunk_count: z.int().describe('Chunks that the text was split into; each is embedded.'),
  position: z.int().describe('Position in the op-log.'),
});
export type CommitToFolioAnswer = Wire<typeof output>;

const NAMES = { type: 'array', items: { type: 'string' } };
const CANDIDATE = {
  type: 'object',
  properties: { name: { type: 'string' }, graphId: { type: 'string' }, match: { type: 'string', enum: MATCH_REASONS } },
  required: ['name', 'graphId', 'match'],
};

export const commitToFolio = defineGraphTool({
  name: 'commit_to_folio',
  title: 'Commit to a folio',
  description:
    'Store prose in an existing folio. The text is split into chunks, each is embedded, and one commit links them. The ' +
    'name must be that of a folio, without regard to case, spaces and punctuation; nothing is created, and nothing waits.',
  when: 'for keeping a finished text, such as a summary, in a folio you can name.',
  input,
  output,
  failure: {
    suggestedName: { type: 'string', description: 'Only of a failure: the name that was given.' },
    candidates: { type: 'array', items: CANDIDATE, description: 'Only of a failure: folios with a similar name.' },
    engrams: { ...NAMES, description: 'Only of a failure: the folios that exist.' },
  },
  scope: 'graph:write',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
  hints: commitToFolioHints,
  cameFrom: { folderName: 'folioName', text: 'content', extra: 'extraMetadata' },
  handle: async ({ folioName, content, extraMetadata, clientToken }, { cairn }) => {
    const made = await cairn.command('item.commit', {
      folderName: folioName,
      text: content,
      ...(extraMetadata && { extra: extraMetadata }),
      ...(clientToken && { clientToken }),
    });
    const { itemId, folderName: folio, folderId: folio_id, chunkCount: chunk_count, position } = made;
    const artifact = artifactUri(itemId);
    return {
      text: `Committed ${plural(chunk_count, 'chunk')} to "${oneLine(folio)}" as ${artifact}.`,
      structured: { commit_id: itemId, folio, folio_id, artifact, chunk_count, position },
    };
  },
});
