import {
  EDGE_SOURCE_KINDS,
  EdgeSourceKind,
  EdgeVerdict,
  ENTITY_QUERY_CHARS_MAX,
  EntityType,
  GRAPH_DEPTH_MAX,
  text,
  type GraphWalk,
  type Wire,
} from '@cairn/contracts';
import { z } from 'zod';
import { countArgument } from '../count-argument.js';
import { oneLine, searchNotes, twoDecimals } from '../hit-list.js';
import { artifactUri } from './artifact.js';
import { defineGraphTool, READS_GRAPH } from './graph-tool.js';
import { searchGraphHints } from './hints/search-graph.hints.js';

const input = z.strictObject({
  start_entity: text(1, ENTITY_QUERY_CHARS_MAX).describe('Name of the entity to start from, or its id.'),
  depth: countArgument(GRAPH_DEPTH_MAX, 1, 'How many edges to follow, in both directions.'),
  min_confidence: z.number().min(0).max(1).default(0.5).describe('Leave out edges below this confidence.'),
  source_kinds: z
    .array(EdgeSourceKind)
    .min(1)
    .max(EDGE_SOURCE_KINDS.length)
    .refine((kinds) => new Set(kinds).size === kinds.length, 'must not repeat a kind')
    .default([...EDGE_SOURCE_KINDS])
    .describe('extracted: read in a text. inferred: concluded. ambiguous: waits for the review of a person.'),
});
export type SearchGraphArgs = z.output<typeof input>;

const EntityShown = z.strictObject({ id: z.string(), name: z.string(), type: EntityType });

const output = z.strictObject({
  entity: EntityShown.nullable().describe('null: no entity of this name; candidates has similar ones.'),
  candidates: z.array(EntityShown).exactOptional(),
  nodes: z.array(EntityShown.extend({ hop: z.int() })).describe('Nearest first; hop 0 is the start.'),
  edges: z.array(
    z.strictObject({
      id: z.string(),
      from: z.string().describe('Id of a node.'),
      to: z.string().describe('Id of a node.'),
      predicate: z.string(),
      confidence: z.number(),
      source_kind: EdgeSourceKind,
      reviewed: EdgeVerdict.nullable().describe('The verdict of a person, if there is one.'),
      hop: z.int(),
      evidence: z
        .array(z.strictObject({ artifact: z.string(), chunk_id: z.string(), position: z.int() }))
        .describe('Addresses of the best three of the passages that state it.'),
      evidence_count: z
        .int()
        .describe('How many passages state it. Of a name with very many, only the most certain are read.'),
    }),
  ),
  truncated: z.boolean().describe('Whether a cap has left out nodes or edges.'),
  stale: z.literal(true).exactOptional().describe('Present when the newest writes may be missing.'),
});
export type SearchGraphAnswer = Wire<typeof output>;

const shownEntity = ({ id, name, type }: z.output<typeof EntityShown>) => ({ id, name, type });

const structuredOf = (walk: GraphWalk): SearchGraphAnswer => ({
  entity: walk.entity && shownEntity(walk.entity),
  ...(walk.candidates && { candidates: walk.candidates.map(shownEntity) }),
  nodes: walk.nodes.map((node) => ({ ...shownEntity(node), hop: node.hop })),
  edges: walk.edges.map(
    ({ id, from, to, predicate, confidence, sourceKind, reviewed, hop, evidence, evidenceCount }) => ({
      id,
      from,
      to,
      predicate,
      confidence,
      source_kind: sourceKind,
      reviewed,
      hop,
      evidence: evidence.map(({ itemId, chunkId, position }) => ({
        artifact: artifactUri(itemId),
        chunk_id: chunkId,
        position,
      })),
      evidence_count: evidenceCount,
    }),
  ),
  truncated: walk.truncated,
  ...(walk.stale && { stale: true as const }),
});

/** Marks an edge that was not read in a text, with its confidence. */
const lineOf = (edge: SearchGraphAnswer['edges'][number], names: ReadonlyMap<string, string>): string => {
  const { from, predicate, to, source_kind: kind, confidence } = edge;
  const line = `${oneLine(names.get(from) ?? from)} ${oneLine(predicate)} ${oneLine(names.get(to) ?? to)}`;
  return kind === 'extracted' ? line : `${line} [${kind} ${twoDecimals(confidence)}]`;
};

const TRUNCATED = 'Further edges were left out: raise min_confidence or lower depth to see the important ones.';

const textOf = ({ entity, candidates = [], nodes, edges, truncated, stale }: SearchGraphAnswer): string => {
  const notes = [...(truncated ? [TRUNCATED] : []), ...searchNotes({ degraded: false, stale: stale ?? false })];
  if (!entity) {
    const similar = candidates.map(({ name }) => oneLine(name)).join(', ');
    return [`No entity of this name.${similar === '' ? '' : ` Similar names: ${similar}.`}`, ...notes].join('\n\n');
  }
  const names = new Map(nodes.map(({ id, name }) => [id, name]));
  const list = edges.map((edge) => lineOf(edge, names)).join('\n');
  const head = `${oneLine(entity.name)} (${entity.type})`;
  return [list === '' ? `${head} has no edges that fit.` : `${head}:\n${list}`, ...notes].join('\n\n');
};

export const searchGraph = defineGraphTool({
  name: 'carabase_search_graph',
  aliases: ['query_graph'],
  argumentAliases: { entity: 'start_entity' },
  title: 'Search the graph',
  description:
    'Walks the knowledge graph from a named entity, along relations that stored texts state (works_at, part_of, ' +
    'depends_on, …), in both directions. Each edge has its confidence, its kind and the addresses of the passages it ' +
    'rests on; read their text with resources/read of the artifact. Names are read by rules: what a text only implies is ' +
    'not in the graph.',
  when: 'for how people, projects and things relate: who works where, what depends on what, who is connected to whom.',
  input,
  output,
  ...READS_GRAPH,
  hints: searchGraphHints,
  cameFrom: { entity: 'start_entity', minConfidence: 'min_confidence', sourceKinds: 'source_kinds' },
  handle: async (
    { start_entity: entity, depth, min_confidence: minConfidence, source_kinds: sourceKinds },
    { cairn },
  ) => {
    const walk = await cairn.query('graph.walk', { entity, depth, minConfidence, sourceKinds, surface: 'mcp' });
    const structured = structuredOf(walk);
    return { text: textOf(structured), structured, trace: { dropped: walk.dropped } };
  },
});
