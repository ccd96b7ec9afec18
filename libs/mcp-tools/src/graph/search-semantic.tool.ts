import {
  QUERY_CHARS_MAX,
  SEMANTIC_K_DEFAULT,
  SEMANTIC_K_MAX,
  SEMANTIC_MIN_SIMILARITY_DEFAULT,
  SourceKind,
  text,
  type SemanticHit,
  type Wire,
} from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { oneLine, searchNotes, twoDecimals } from '../hit-list.js';
import { references } from '../references.js';
import { snippet } from '../snippet.js';
import { artifactLinks, artifactUri } from './artifact.js';
import { defineGraphTool, READS_GRAPH } from './graph-tool.js';
import { searchSemanticHints } from './hints/search-semantic.hints.js';

const input = z.strictObject({
  query: text(1, QUERY_CHARS_MAX).describe('What to look for, in natural language.'),
  k: countArgument(SEMANTIC_K_MAX, SEMANTIC_K_DEFAULT, 'Maximum number of hits to return.'),
  min_similarity: z
    .number()
    .min(0)
    .max(1)
    .default(SEMANTIC_MIN_SIMILARITY_DEFAULT)
    .describe('Leave out hits whose cosine similarity is below this.'),
});
export type SearchSemanticArgs = z.output<typeof input>;

const ProvenanceShown = z.strictObject({
  source_kind: SourceKind,
  source_name: z.string().exactOptional(),
  uri: z.string().exactOptional(),
  folio: z.string().describe('Display name of the folio.'),
  agent_id: z.string().describe('Who stored it.'),
  created_at: z.string(),
  position: z.int().describe('Position of the op that stored it.'),
});

const output = z.strictObject({
  hits: z
    .array(
      z.strictObject({
        artifact: z.string().describe('URI for resources/read: the full text.'),
        memory_id: z.string().describe('Feed it to carabase_traverse_memory_network as an anchor.'),
        chunk_id: z.string(),
        title: z.string(),
        snippet: z.string(),
        similarity: z.number().describe('Cosine similarity of the query and the chunk.'),
        folio_id: z.string(),
        created_at: z.string(),
        provenance: ProvenanceShown,
        mesh_uri: z
          .string()
          .exactOptional()
          .describe('Only where the text is kept at its source: carabase_resolve_mesh_uri takes it.'),
      }),
    )
    .describe('Best first; two chunks of one artifact may both appear.'),
  model: z.string().describe('The embedding model; similarities of different models cannot be compared.'),
  stale: z.literal(true).exactOptional().describe('Present when the newest writes may be missing.'),
});
export type SearchSemanticAnswer = Wire<typeof output>;

const hitOf = (
  { itemId, chunkId, title, text: body, similarity, folderId, provenance, meshUri }: SemanticHit,
  query: string,
) => {
  const { source, folderName: folio, agentId: agent_id, createdAt: created_at, position } = provenance;
  const { kind: source_kind, name, uri } = source;
  return {
    artifact: artifactUri(itemId),
    memory_id: itemId,
    chunk_id: chunkId,
    title,
    snippet: snippet(body, query),
    similarity,
    folio_id: folderId,
    created_at,
    provenance: {
      source_kind,
      ...(name !== undefined && { source_name: name }),
      ...(uri !== undefined && { uri }),
      folio,
      agent_id,
      created_at,
      position,
    },
    ...(meshUri !== null && { mesh_uri: meshUri }),
  };
};

type Hit = ReturnType<typeof hitOf>;

const lineOf = ({ similarity, title, provenance, snippet: shown }: Hit, index: number): string =>
  `${index + 1}. (${twoDecimals(similarity)}) ${oneLine(title)} — ${oneLine(provenance.folio)}\n   "...${oneLine(shown)}..."`;

const REFERENCES_HEAD =
  'For the full text of an entry above, read its artifact; carabase_traverse_memory_network takes the id in it as an anchor:';

export const searchSemantic = defineGraphTool({
  name: 'carabase_search_semantic',
  argumentAliases: { limit: 'k' },
  title: 'Search by meaning',
  description:
    'Semantic search across artifacts: the passages nearest to the query by cosine similarity, best first, each with its ' +
    'provenance. Returns URIs and snippets, not bodies; read the full text of a hit with resources/read.',
  when: 'for a question that paraphrases what is stored; its hits are the anchors of carabase_traverse_memory_network.',
  input,
  output,
  ...READS_GRAPH,
  hints: searchSemanticHints,
  cameFrom: { limit: 'k', minSimilarity: 'min_similarity' },
  handle: async ({ query, k, min_similarity }, { cairn }) => {
    const answer = await cairn.query('chunks.semantic', { query, limit: k, minSimilarity: min_similarity });
    const hits = answer.hits.map((hit) => hitOf(hit, query));
    const list =
      hits.length === 0 ? 'No passage is near enough to this query in meaning.' : hits.map(lineOf).join('\n');
    return {
      text: [list, ...searchNotes({ degraded: false, stale: answer.stale })].join('\n\n'),
      ...references(
        REFERENCES_HEAD,
        hits.map(({ artifact, mesh_uri }) => (mesh_uri === undefined ? artifact : `${artifact} (${mesh_uri})`)),
      ),
      links: artifactLinks(hits),
      structured: { hits, model: answer.model, ...(answer.stale && { stale: true as const }) },
      trace: answer.best === null ? {} : { best: answer.best },
    };
  },
});
