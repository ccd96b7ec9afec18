import { deepEqual, equal, match, ok } from 'node:assert/strict';
import { agentInMemory, mcpAgentInMemory, type Agent, type AgentAnswer } from './agent.harness.js';
import { fillLibrary, type Library } from './library.builder.js';

type Content = AgentAnswer['structuredContent'];
type Call = (args: object) => Promise<Content>;

/** Calls a tool as intended, and checks its main purpose. */
type Assertion = (call: Call, library: Library, agent: Agent) => Promise<void>;

const titles = (list: readonly { readonly title: string }[]): string[] => list.map(({ title }) => title);

const correction = async (agent: Agent): Promise<Content> => {
  const { hits } = (await agent.call('search_knowledge_base', { query: 'pricing' })).structuredContent;
  const args = { chunkId: hits[0].chunkId, proposal: 'It became fair.', newText: 'Alice finds the pricing fair.' };
  return (await agent.call('correct', args)).structuredContent;
};

/** One assertion per tool: a tool without one fails the command. */
export const ASSERTIONS: Readonly<Record<string, Assertion>> = {
  add_to_knowledge: async (call) => {
    equal((await call({ kind: 'text', text: 'Oil is delivered on Fridays.' })).chunks, 1);
  },
  apply: async (call, _, agent) => {
    match((await call({ correctionId: (await correction(agent)).correctionId })).opLogEventId, /\w/);
  },
  carabase_attach_file: async (call) => {
    const { chunk_count, artifact } = await call({ file_name: 'a.txt', content_base64: 'VGlkZXM=' });
    equal(chunk_count, 1);
    match(artifact, /^carabase:\/\/artifact\//);
  },
  carabase_find_entity_candidates: async (call) => {
    const { candidates } = await call({ text: 'Norwood' });
    deepEqual([candidates[0].name, candidates[0].match], ['Norwood Labs', 'word']);
  },
  carabase_query_metadata: async (call) => {
    const { items, total } = await call({ filters: { tags: ['lamps'] } });
    deepEqual([titles(items), total], [['Wicks'], 1]);
  },
  carabase_query_timeseries: async (call) => {
    const range = { from: '2027-02-01', to: '2027-03-01' };
    const { rows } = await call({ source: 'strava', metric: 'distance_meters', range, group_by: 'week' });
    deepEqual(rows, [
      { bucket: '2027-02-01', value: 5_000, count: 2 },
      { bucket: '2027-02-08', value: 19_000, count: 2 },
    ]);
  },
  carabase_resolve_mesh_uri: async (call, { meshUri }) => {
    equal((await call({ uri: meshUri })).text, 'Fill the lamp before dusk.');
  },
  carabase_route_and_execute: async (call, _, agent) => {
    const { strategy, arguments: args, result } = await call({ query: 'who works at Norwood Labs?' });
    equal(strategy, 'graph');
    deepEqual(result, (await agent.call('carabase_search_graph', args)).structuredContent);
  },
  carabase_search_graph: async (call) => {
    const { entity, edges } = await call({ start_entity: 'norwood labs' });
    deepEqual([entity.name, edges[0].predicate], ['Norwood Labs', 'works_at']);
  },
  carabase_search_semantic: async (call, { lampId }) => {
    equal((await call({ query: 'the wick of the lamp' })).hits[0].memory_id, lampId);
  },
  carabase_traverse_memory_network: async (call, { lampId, commitId }) => {
    const { memories, trace } = await call({ anchor: [lampId] });
    deepEqual(new Set(memories.map((one: { memory_id: string }) => one.memory_id)), new Set([lampId, commitId]));
    equal(trace.converged, true);
  },
  carabase_verify_hypothesis: async (call) => {
    equal((await call({ claim: 'Ada Quill works at Norwood Labs.' })).verdict, 'corroborated');
    equal((await call({ claim: 'Ada Quill never works at Norwood Labs.' })).verdict, 'contradicted');
  },
  commit_to_folio: async (call) => {
    equal((await call({ folioName: 'inbox', content: 'The tide turns at noon.' })).folio, 'Inbox');
  },
  correct: async (_, __, agent) => {
    equal((await correction(agent)).proposedText, 'Alice finds the pricing fair.');
  },
  forget: async (call, { planId }) => {
    deepEqual(await call({ sourceId: planId }).then(({ deleted, sourceRemoved }) => [deleted, sourceRemoved]), [
      true,
      true,
    ]);
  },
  get_item: async (call, { lampId }) => {
    equal((await call({ item_id: lampId })).title, 'Wicks');
  },
  list_recent: async (call) => {
    equal((await call({ limit: 1 })).items.length, 1);
  },
  recall: async (call, { lampId }) => {
    equal((await call({ query: 'the wick of the lamp' })).results[0].sourceId, lampId);
  },
  remember: async (call) => {
    equal((await call({ text: 'The bell rings twice.', graphId: 'inbox' })).nodeCount, 1);
  },
  search_knowledge: async (call, { lampId }) => {
    equal((await call({ query: 'wick' })).hits[0].id, lampId);
  },
  search_knowledge_base: async (call, { lampId }) => {
    equal((await call({ query: 'wick' })).hits[0].itemId, lampId);
  },
  stats: async (call) => {
    ok((await call({})).totalSources >= 3);
  },
  store_knowledge: async (call) => {
    match((await call({ title: 'Fog', body: 'The horn sounds every minute.' })).id, /^[0-9a-f-]{36}$/);
  },
  supersede_knowledge: async (call, { lampId, planId }) => {
    equal((await call({ oldId: planId, newId: lampId })).supersededById, lampId);
  },
};

export interface SmokeResult {
  readonly tool: string;
  /** Undefined if the assertion passes. */
  readonly problem?: string;
}

const answeredBy =
  (agent: Agent, tool: string): Call =>
  async (args) => {
    const { isError, structuredContent } = await agent.call(tool, args);
    if (isError) throw new Error(`refused: ${JSON.stringify(structuredContent)}`);
    return structuredContent;
  };

type Opened = Awaited<ReturnType<typeof agentInMemory | typeof mcpAgentInMemory>>;

const check = async (
  tool: string,
  assertion: Assertion | undefined,
  open: () => Promise<Opened>,
): Promise<SmokeResult> => {
  if (!assertion) return { tool, problem: 'has no assertion' };
  const agent = await open();
  try {
    const library = await fillLibrary(agent, agent);
    await assertion(answeredBy(agent, tool), library, agent);
    return { tool };
  } catch (thrown) {
    return { tool, problem: thrown instanceof Error ? thrown.message : String(thrown) };
  } finally {
    if ('close' in agent) await agent.close();
  }
};

/** Calls every tool once on the in-memory Cairn: through a client and a server of the SDK, or inside the host. */
export const smoke = async (assertions = ASSERTIONS): Promise<readonly SmokeResult[]> => {
  const client = await mcpAgentInMemory();
  const overMcp = await client.tools();
  await client.close();
  const inProcess = (await (await agentInMemory()).tools()).filter((name) => !overMcp.includes(name));
  const unknown = Object.keys(assertions).filter((name) => ![...overMcp, ...inProcess].includes(name));
  const results: SmokeResult[] = unknown.map((tool) => ({ tool, problem: 'there is no such tool' }));
  for (const tool of overMcp) results.push(await check(tool, assertions[tool], mcpAgentInMemory));
  for (const tool of inProcess) results.push(await check(tool, assertions[tool], agentInMemory));
  return results;
};
