import { recallAt } from '@cairn/testing';
import type { Line } from '../benchmark.js';
import { McpClient } from '../mcp-client.js';
import { toolCall } from '../mcp-request.js';
import { sum } from '../statistics.js';
import type { Workload } from '../workloads.js';
import { exactNeighbours } from './exact-neighbours.js';
import type { PeerLibrary, Share } from './peer-library.js';
import type { Query } from './peer-queries.js';

const recallOf = async ({ product }: PeerLibrary, share: Share, queries: readonly Query[], limit: number) => {
  const client = new McpClient(product.mcpUrl, 1);
  const recalls: number[] = [];
  try {
    for (const { text, vector } of queries) {
      const request = { query: text, mode: 'semantic', limit };
      const { result } = await client.call(toolCall('stateless', 'search_knowledge_base', request, share.token));
      const found = (result['structuredContent'] as { hits: { chunkId: string }[] }).hits.map(({ chunkId }) => chunkId);
      const truth = exactNeighbours(vector, share.documents, limit);
      recalls.push(recallAt(limit, found, new Map(truth.map((id) => [id, 1]))));
    }
  } finally {
    client.close();
  }
  return sum(recalls) / recalls.length;
};

const lineOf = (library: PeerLibrary, { selectivity, documents }: Share, recall: number, recallMin: number): Line => ({
  id: `${library.profile.id}.recall.${library.size.name}.${selectivity}`,
  what: `recall of the vector leg, ${library.what}, a token that sees ${selectivity} of them`,
  product: recall.toFixed(3),
  floor: `exact 1.000 of ${documents.length} chunks`,
  ratio: { value: recall, text: recall.toFixed(3) },
  aim: { text: `>= ${recallMin}`, isMet: recall >= recallMin },
  figures: { recall, selectivity, chunks: documents.length },
});

/** The hits of the vector leg, compared with the nearest neighbours by comparing every vector. */
export const recallLines = async (
  library: PeerLibrary,
  { limit, recallQueries, aim }: Workload<'peers'>,
  queries: readonly Query[],
): Promise<Line[]> => {
  const lines: Line[] = [];
  for (const share of library.shares.filter(({ documents }) => documents.length > 0)) {
    const recall = await recallOf(library, share, queries.slice(0, recallQueries), limit);
    lines.push(lineOf(library, share, recall, aim.recallMin));
  }
  return lines;
};
