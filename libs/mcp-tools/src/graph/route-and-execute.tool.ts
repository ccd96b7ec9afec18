import { QUERY_CHARS_MAX, text, type QueryAnswer } from '@cairn/contracts';
import { z } from 'zod';
import type { CleanAnswer, ToolContext } from '../tool.js';
import { defineGraphTool, READS_GRAPH, type HintedTool } from './graph-tool.js';
import { routeAndExecuteHints } from './hints/route-and-execute.hints.js';
import { queryMetadata } from './query-metadata.tool.js';
import { searchGraph } from './search-graph.tool.js';
import { searchSemantic } from './search-semantic.tool.js';

type Strategy = QueryAnswer<'route.plan'>['strategy'];

const TOOL_OF: Readonly<Record<Strategy, HintedTool>> = {
  semantic: searchSemantic,
  graph: searchGraph,
  metadata: queryMetadata,
};

const input = z.strictObject({
  query: text(1, QUERY_CHARS_MAX).describe(
    'A question in plain words, such as "who works at Acme?" or "what did I write last Tuesday?"',
  ),
});

const output = z.strictObject({
  strategy: z.enum(['semantic', 'graph', 'metadata']).describe('The way of searching that was chosen.'),
  reason: z.string().describe('The rule that chose it.'),
  arguments: z.record(z.string(), z.unknown()).describe('The arguments of the direct call.'),
  result: z.record(z.string(), z.unknown()).describe('The structuredContent of the direct call.'),
});

const TRACED = /\[trace: (.*)\]$/u;

/** The chosen tool is called as by a client, so that its result is the same. */
const execute = async (
  { strategy, arguments: args }: QueryAnswer<'route.plan'>,
  context: ToolContext,
): Promise<CleanAnswer> => TOOL_OF[strategy].call(args, context);

export const routeAndExecute = defineGraphTool({
  name: 'carabase_route_and_execute',
  title: 'Route a query and execute it',
  description:
    'Choose between semantic search, the graph and metadata by the form of the query, and return what the chosen tool ' +
    'returns: a time or a folio leads to metadata, a relation of a known name to the graph, anything else to meaning. ' +
    'The answer names the rule. The same query at the same time is routed alike.',
  when: 'when it is not clear which of the searches fits a question.',
  input,
  output,
  ...READS_GRAPH,
  hints: routeAndExecuteHints,
  handle: async ({ query }, context) => {
    const now = new Date(context.clock.now()).toISOString();
    const plan = await context.cairn.query('route.plan', { query, now });
    const { text: shown, structured: result, references, links, trailer } = await execute(plan, context);
    const { strategy, rule, reason } = plan;
    return {
      text: `Routed to ${strategy}: ${reason}\n${shown}`,
      ...(references !== undefined && { references }),
      ...(links && { links }),
      structured: { strategy, reason, arguments: { ...plan.arguments }, result: { ...result } },
      trace: { rule, now, traced: TRACED.exec(trailer ?? '')?.[1] ?? '' },
    };
  },
});
