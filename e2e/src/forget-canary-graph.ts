import { canary } from './canaries.js';

/** The access of a suite to the running Cairn. */
export interface Reach {
  readonly api: (method: string, path: string, body?: object) => Promise<any>;
  readonly call: (tool: string, args: object) => Promise<any>;
}

/** Words that occur in the graph: some in no text at all, so only its tables and sealed ops contain them. */
export const graphWords = () => ({
  read: canary(),
  subject: canary(),
  predicate: canary(),
  object: canary(),
  alias: canary(),
  canonical: canary(),
  fact: canary(),
  factName: canary(),
  logCard: canary(),
  commit: canary(),
  commitName: canary(),
  chunkName: canary(),
});
export type GraphWords = ReturnType<typeof graphWords>;

/** The graph follows the log: a name is found a moment after it was stated. */
const entityId = async ({ call }: Reach, name: string): Promise<string> => {
  for (;;) {
    const { entity } = await call('carabase_search_graph', { start_entity: name });
    if (entity !== null) return entity.id;
  }
};

/**
 * One item that states edges and is linked to a log card, a merge and a verdict on it, and a fact and a commit with
 * their own edges.
 */
export const stateGraph = async (reach: Reach, words: GraphWords, secret: string): Promise<string[]> => {
  const { api, call } = reach;
  const text = `Alice ${words.read} works at Meridian Labs. See also ${words.read} Labs.`;
  const item = await api('POST', '/items', { title: 'A person', text });
  const { edgeIds } = await api('POST', '/edges', {
    chunkId: item.chunkIds[0],
    edges: [
      { subject: words.subject, predicate: `p_${words.predicate}`, object: words.object, sourceKind: 'ambiguous' },
      { subject: words.alias, predicate: 'same_as', object: words.canonical },
    ],
  });
  const [aliasId, canonicalId] = [await entityId(reach, words.alias), await entityId(reach, words.canonical)];
  await api('POST', '/entities/merges', { aliasId, canonicalId });
  await api('POST', `/edges/${edgeIds[0]}/review`, { verdict: 'confirmed' });
  const edge = { subject: words.factName, predicate: 'knows', object: 'Meridian Labs' };
  const fact = await api('POST', '/edges', { text: `A fact about ${words.fact}.`, edges: [edge] });
  const card = await api('POST', '/log-cards', { title: 'A run', text: `It is about ${words.logCard}.` });
  const links = [{ fromItemId: card.id, toItemId: item.id, type: 'derived_from' }];
  await api('POST', '/links', { links });
  const { commit_id: commitId } = await call('commit_to_folio', {
    folioName: 'Runs',
    content: `Findings on ${words.commit}, by ${words.commitName}.`,
    extraMetadata: {
      note: secret,
      edges: [{ subject: words.commitName, predicate: 'found', object: words.commit }],
      links: [{ toItemId: item.id, type: 'references' }],
    },
  });
  await entityId(reach, words.commitName);
  return [item.id, fact.itemId, card.id, commitId];
};

/** A name that is stated for one chunk of a longer item. */
export const stateOfChunk = async (reach: Reach, words: GraphWords, chunkId: string): Promise<void> => {
  const edge = { subject: words.chunkName, predicate: 'knows', object: 'Meridian Labs' };
  await reach.api('POST', '/edges', { chunkId, edges: [edge] });
  await entityId(reach, words.chunkName);
};

/** The names that a tool still finds. */
export const namesLeft = async ({ call }: Reach, words: GraphWords): Promise<string[]> => {
  const left: string[] = [];
  for (const text of Object.values(words)) {
    const { candidates } = await call('carabase_find_entity_candidates', { text });
    left.push(...candidates.map(({ name }: any) => name));
  }
  return left;
};
