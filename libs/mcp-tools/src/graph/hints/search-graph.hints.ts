import { EDGE_SOURCE_KINDS, ENTITY_QUERY_CHARS_MAX, text } from '@cairn/contracts';
import { quote, type ToolHints, type Trace } from '../../hint.js';
import type { SearchGraphAnswer, SearchGraphArgs } from '../search-graph.tool.js';
import { commonFailure, faultyFields, nextCall } from './common.hints.js';

const TOOL = 'carabase_search_graph';

/** A name that the search for candidates accepts. */
const Name = text(1, ENTITY_QUERY_CHARS_MAX);

interface Dropped {
  readonly confidence: number;
  readonly sourceKind: number;
}

const droppedIn = (trace: Trace): Dropped =>
  (trace['dropped'] as Dropped | undefined) ?? { confidence: 0, sourceKind: 0 };

const unknownEntity = (args: SearchGraphArgs, candidates: SearchGraphAnswer['candidates'] = []) => {
  const [best] = candidates;
  const names = candidates.map(({ name }) => quote(name)).join(', ');
  return {
    kind: 'graphUnknownEntity',
    message: best
      ? `No entity is named ${quote(args.start_entity)}. Similar names: ${names}. Call again with the one that is meant.`
      : `No entity is named ${quote(args.start_entity)}, and no name is similar. Look for the topic by meaning instead.`,
    next: best
      ? [nextCall(TOOL, { ...args, start_entity: best.name })]
      : [
          nextCall('carabase_find_entity_candidates', { text: args.start_entity }),
          nextCall('carabase_search_semantic', { query: args.start_entity }),
        ],
  };
};

const noEdges = (args: SearchGraphArgs, { confidence, sourceKind }: Dropped) => {
  const left = [
    ...(confidence > 0 ? [`${confidence} below min_confidence`] : []),
    ...(sourceKind > 0 ? [`${sourceKind} of other source_kinds`] : []),
  ];
  return {
    kind: 'graphNoEdges',
    message:
      left.length === 0
        ? `${quote(args.start_entity)} is mentioned, but no text states a relation of it that holds. Read the passages about it instead.`
        : `The filters left out all edges of ${quote(args.start_entity)}: ${left.join(' and ')}. Widen them.`,
    next:
      left.length === 0
        ? [nextCall('carabase_query_metadata', { filters: { entity_name: args.start_entity } })]
        : [
            nextCall(TOOL, {
              ...args,
              ...(confidence > 0 && { min_confidence: 0 }),
              ...(sourceKind > 0 && { source_kinds: [...EDGE_SOURCE_KINDS] }),
            }),
          ],
  };
};

const traceOf = (args: SearchGraphArgs, { entity, nodes }: SearchGraphAnswer, dropped: Dropped): Trace => ({
  start_entity: args.start_entity,
  resolved: entity !== null,
  depth: args.depth,
  visited: nodes.length,
  dropped: { confidence: dropped.confidence, source_kind: dropped.sourceKind },
});

export const searchGraphHints: ToolHints<SearchGraphArgs, SearchGraphAnswer> = {
  empty: ({ args, structured, trace }) => {
    const { entity, edges, candidates } = structured;
    if (edges.length > 0) return undefined;
    const dropped = droppedIn(trace);
    return {
      hint: entity === null ? unknownEntity(args, candidates) : noEdges(args, dropped),
      trace: traceOf(args, structured, dropped),
      traced:
        entity === null
          ? `searched graph for ${quote(args.start_entity)} → no such entity`
          : `searched graph for ${quote(args.start_entity)} → 0 edges; ${dropped.confidence} below ${args.min_confidence}, ${dropped.sourceKind} of other kinds`,
    };
  },
  error: ({ args, error }) => {
    const start = args['start_entity'] ?? args['entity'];
    const isAboutStart = faultyFields(error).some((field) => field === 'start_entity' || field === 'entity');
    return commonFailure({
      tool: TOOL,
      args,
      error,
      trace: { start_entity: start },
      next:
        isAboutStart && Name.safeParse(start).success
          ? [nextCall('carabase_find_entity_candidates', { text: start })]
          : [],
    });
  },
};
