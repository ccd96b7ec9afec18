import {
  LINK_TYPES,
  LinkType,
  Uuid,
  WALK_ANCHORS_MAX,
  WALK_DEPTH_DEFAULT,
  WALK_DEPTH_MAX,
  WALK_LIMIT_DEFAULT,
  WALK_LIMIT_MAX,
  WalkMode,
  WalkTrace,
  WalkVia,
  type WalkedMemory,
  type Wire,
} from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { oneLine } from '../hit-list.js';
import { artifactLinks, artifactUri } from './artifact.js';
import { defineGraphTool, READS_GRAPH } from './graph-tool.js';
import { traceWords, traverseHints } from './hints/traverse-memory-network.hints.js';

/** Replaced memories take part only if their links are requested. */
const WALKED_BY_DEFAULT = LINK_TYPES.filter((type) => type !== 'supersedes');

const MESH_TIER =
  '[mesh-tier] The source of every memory above is purged. Cite the memories themselves; there is no document behind them to read.';

const input = z
  .strictObject({
    anchor: z
      .array(Uuid)
      .min(1)
      .max(WALK_ANCHORS_MAX)
      .describe('Ids of the memories to start from: the memory_id of a hit. Words are refused; search for them first.'),
    mode: WalkMode.default('pagerank').describe(
      'pagerank ranks by importance seen from the anchors; shortest_path leads from the first anchor to the second; neighbours lists the nearest first.',
    ),
    depth: countArgument(WALK_DEPTH_MAX, WALK_DEPTH_DEFAULT, 'How many links the walk goes from an anchor.'),
    link_types: z
      .array(LinkType)
      .min(1)
      .max(LINK_TYPES.length)
      .default(WALKED_BY_DEFAULT)
      .describe('Which links are walked. All but supersedes by default; naming it includes replaced memories.'),
    min_confidence: z.number().min(0).max(1).default(0).describe('Links below this confidence are not walked.'),
    limit: countArgument(WALK_LIMIT_MAX, WALK_LIMIT_DEFAULT, 'How many memories are returned.'),
  })
  .superRefine(({ mode, anchor }, context) => {
    if (mode !== 'shortest_path' || new Set(anchor).size === 2) return;
    const message = 'must have exactly 2 different ids with mode shortest_path';
    context.addIssue({ code: 'custom', path: ['anchor'], message, input: anchor, params: { limit: 2 } });
  });

const Memory = z.strictObject({
  memory_id: z.string(),
  artifact: z.string().describe('Read it with resources/read for the text.'),
  title: z.string(),
  score: z.number().describe('pagerank: share of the stationary distribution. Otherwise the product of confidences.'),
  hop: z.int().describe('Links from the nearest anchor; 0 is an anchor. On a path: the position.'),
  superseded: z.literal(true).exactOptional(),
  source_purged: z.boolean().describe('Nothing of what it was derived from is kept.'),
  via: z.array(WalkVia).describe('Links that lead to it from memories one hop nearer, best first.'),
});

const output = z.strictObject({ memories: z.array(Memory), trace: WalkTrace, stale: z.literal(true).exactOptional() });

export type TraverseArguments = z.output<typeof input>;
export type TraverseAnswer = Wire<typeof output>;

const memoryOf = (walked: WalkedMemory): Wire<typeof Memory> => {
  const { itemId, title, score, hop, superseded, sourcePurged, via } = walked;
  return {
    memory_id: itemId,
    artifact: artifactUri(itemId),
    title,
    score,
    hop,
    ...(superseded && { superseded }),
    source_purged: sourcePurged,
    via,
  };
};

/** Includes the id for the next call: some clients show a model only the texts. */
const line = ({ memory_id, title, score, hop, superseded, via }: Wire<typeof Memory>, n: number): string => {
  const how = hop === 0 ? 'anchor' : `hop ${hop}${via[0] ? `, ${via[0].type}` : ''}`;
  return `${n + 1}. (${score.toFixed(4)}) ${oneLine(title)} [${how}${superseded ? ', superseded' : ''}] memory_id=${memory_id}`;
};

export const traverseMemoryNetwork = defineGraphTool({
  name: 'carabase_traverse_memory_network',
  title: 'Walk the memory network',
  description:
    'Follows typed links between memories from one or more anchors and ranks what it finds by personalised PageRank ' +
    '(damping 0.85, undirected, weighted by confidence). mode shortest_path connects two memories, neighbours lists the nearest. ' +
    'Anchors are memory ids: call carabase_search_semantic first to get them. The first line of the text is the trace of the walk.',
  when: 'to find what is connected to a memory whose id you have.',
  input,
  output,
  ...READS_GRAPH,
  hints: traverseHints,
  handle: async ({ link_types: linkTypes, min_confidence: minConfidence, ...args }, { cairn }) => {
    const walked = await cairn.query('links.walk', { ...args, linkTypes, minConfidence });
    const memories = walked.memories.map(memoryOf);
    const { trace } = walked;
    const isPurged = memories.length > 0 && memories.every(({ source_purged }) => source_purged);
    return {
      header: `[trace: ${traceWords(trace)}]`,
      text: memories.length === 0 ? 'No path.' : memories.map(line).join('\n'),
      ...(isPurged && { footer: MESH_TIER }),
      links: artifactLinks(memories),
      structured: { memories, trace, ...(walked.stale && { stale: true as const }) },
    };
  },
});
