import { fail, MESH_TEXT_TOKENS_MAX, MESH_URI_CHARS_MAX, Retention, text, type Wire } from '@cairn/contracts';
import { z } from 'zod';
import { fenced } from '../fence.js';
import { defineGraphTool } from './graph-tool.js';
import { resolveMeshUriHints } from './hints/resolve-mesh-uri.hints.js';

const input = z.strictObject({
  uri: text(1, MESH_URI_CHARS_MAX).describe('The mesh_uri of a hit or an item, as it is.'),
});
export type ResolveMeshUriArgs = z.output<typeof input>;

const output = z.strictObject({
  text: z.string().describe(`The text, at most ${MESH_TEXT_TOKENS_MAX} tokens.`),
  tokens: z.int().describe('Tokens of text.'),
  compacted: z.boolean().describe('Whether parts of the text are left out to stay within the budget.'),
  provenance: z.strictObject({
    connector: z.string(),
    uri: z.string().describe('The mesh URI, without a token.'),
    fetched_at: z.string(),
  }),
  retention: Retention.describe('How much of the text is stored.'),
});
export type ResolveMeshUriAnswer = Wire<typeof output>;

export const resolveMeshUri = defineGraphTool({
  name: 'carabase_resolve_mesh_uri',
  title: 'Resolve a mesh URI',
  description:
    'Fetch the text of an artifact from its source, where only a summary or its metadata is stored. The text comes from ' +
    `the source at this moment, is cut to ${MESH_TEXT_TOKENS_MAX} tokens, and is not stored. An artifact whose text is ` +
    'stored is answered from the store. Fetching has a daily budget, and an admin may require a confirmation for each fetch.',
  when: 'for the text behind a mesh_uri, when the stored summary is not enough.',
  input,
  output,
  scope: 'graph:read',
  annotations: { readOnlyHint: true, openWorldHint: true },
  hints: resolveMeshUriHints,
  cameFrom: { itemId: 'uri', id: 'uri', accountId: 'uri', connectorId: 'uri', url: 'uri', file: 'uri' },
  handle: async ({ uri }, { mesh }) => {
    if (!mesh) throw fail('mesh.unsupported', 'nothing can be fetched from a source here');
    const { provenance, ...resolved } = await mesh.resolve(uri);
    const { connector, fetchedAt: fetched_at } = provenance;
    const head = `Text of ${provenance.uri}, from ${connector} at ${fetched_at}${resolved.compacted ? ', cut' : ''}.`;
    const { text: body, tokens, compacted, retention } = resolved;
    return {
      text: fenced(head, body),
      structured: {
        text: body,
        tokens,
        compacted,
        provenance: { connector, uri: provenance.uri, fetched_at },
        retention,
      },
    };
  },
});
