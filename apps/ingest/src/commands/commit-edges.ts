import { CommitFields, type NewEdge } from '@cairn/contracts';
import { chunkText, observedEvents, stateEdges } from '@cairn/domain';
import type { CommitPartDefinition } from './commit.commands.js';
import { sealStatements, type OpenChunk } from './edge.commands.js';

/** The field of a commit that contains its edges. */
const FIELD = 'extra.edges';

const edgesOf = (extra: unknown): readonly NewEdge[] =>
  extra === undefined ? [] : (CommitFields.parse(extra).edges ?? []);

/** Relations that a commit states, each anchored in the chunk of its text that contains both names. */
export const commitEdges: CommitPartDefinition = {
  prepare: ({ principal, data }, { item, keys }) => {
    const edges = edgesOf(data.extra);
    if (edges.length === 0) return () => [];
    const texts = chunkText(data.text);
    const chunks = item.chunks.map(({ chunkId, textHash }, i): OpenChunk => ({
      chunkId,
      textHash,
      text: texts[i]!.text,
      key: keys.chunks.get(chunkId)!,
    }));
    const statements = stateEdges(edges, chunks, 'agent', FIELD);
    const { parts } = sealStatements(principal.workspaceId, edges, chunks, statements);
    return (_, { folder }) => observedEvents({ origin: 'agent', parts }, { itemId: item.itemId, folderId: folder.id });
  },
};
