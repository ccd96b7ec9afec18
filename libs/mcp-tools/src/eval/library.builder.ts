import type { Agent, Sources } from './agent.harness.js';

/** The data that the scripts of an evaluation refer to. */
export interface Library {
  readonly lampId: string;
  readonly planId: string;
  readonly commitId: string;
  /** Set only if the host has a connected source. */
  readonly meshUri?: string;
}

const stored = async (agent: Agent, tool: string, args: object): Promise<Record<string, string>> => {
  const { isError, structuredContent } = await agent.call(tool, args);
  if (isError) throw new Error(`${tool} was refused: ${JSON.stringify(structuredContent)}`);
  return structuredContent as Record<string, string>;
};

const TITLES = ['Wicks', 'Pricing'];
const WAIT_MS = 60_000;

/** Vectors and names follow a write, so a script starts once they exist. */
const settled = async (agent: Agent): Promise<void> => {
  const deadline = Date.now() + WAIT_MS;
  const query = 'wick of the lamp, pricing of the plan';
  for (;;) {
    const near = await agent.call('carabase_search_semantic', { query, k: 50, min_similarity: 0 });
    const walked = await agent.call('carabase_search_graph', { start_entity: 'Norwood Labs' });
    const titles = (near.structuredContent.hits as { title: string }[]).map(({ title }) => title);
    if (TITLES.every((title) => titles.includes(title)) && walked.structuredContent.edges.length > 0) return;
    if (Date.now() > deadline) throw new Error('what was stored is not searchable after a minute');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/**
 * Two notes, a commit that states a relation and a link, and rows of a source, stored with the tools as far as
 * possible.
 */
export const fillLibrary = async (agent: Agent, { importRows, meshUri }: Sources): Promise<Library> => {
  const lamp = { title: 'Wicks', body: 'The keeper trims the wick of the lamp every evening.', tags: ['lamps'] };
  const plan = { title: 'Pricing', body: 'Alice finds the pricing of the new plan too high.', tags: ['pricing'] };
  const { id: lampId } = await stored(agent, 'store_knowledge', lamp);
  const { id: planId } = await stored(agent, 'store_knowledge', plan);
  const edges = [{ subject: 'Ada Quill', predicate: 'works_at', object: 'Norwood Labs' }];
  const links = [{ toItemId: lampId, type: 'related' }];
  const content = 'Ada Quill works at Norwood Labs.';
  const commit = { folioName: 'Inbox', content, extraMetadata: { edges, links } };
  const { commit_id: commitId } = await stored(agent, 'commit_to_folio', commit);
  await importRows();
  await settled(agent);
  const uri = await meshUri?.();
  return { lampId: lampId!, planId: planId!, commitId: commitId!, ...(uri !== undefined && { meshUri: uri }) };
};
