import type { AgentAnswer } from './agent.harness.js';
import type { Library } from './library.builder.js';

type Arguments = Readonly<Record<string, unknown>>;
type Content = AgentAnswer['structuredContent'];
/** Receives the answer of the previous call, and those of all calls so far. */
type Script = (library: Library, last: Content, all: readonly Content[]) => Arguments;

/** An explicit call, or `follow`: the first call that the hint of the previous answer suggests. */
export type Step = 'follow' | { readonly tool: string; readonly args: Script; readonly isOutsideRun?: boolean };

export interface Trajectories {
  /** The call that shows the tool's purpose. */
  readonly success: readonly Step[];
  /** A call that finds nothing or is refused, and the calls that the answer leads to. */
  readonly repair: readonly Step[];
  /** Left out against a product, because no tool and no route can prepare it there. */
  readonly isInMemoryOnly?: boolean;
}

const call = (tool: string, args: Script | Arguments): Step => ({
  tool,
  args: typeof args === 'function' ? args : () => args,
});

const FEBRUARY = { from: '2027-02-01', to: '2027-03-01' };
const distance = { source: 'strava', metric: 'distance_meters', range: FEBRUARY, group_by: 'week' };
const note = { file_name: 'notes.txt', content_base64: Buffer.from('Three harbours were found.').toString('base64') };
/**
 * A separate note for the script, and its chunk: the library's own notes stay unchanged, because other scripts rely on
 * them.
 */
const ownChunk = (word: string): readonly Step[] => [
  call('store_knowledge', { title: `The ${word}`, body: `The ${word} sounds twice.` }),
  call('search_knowledge_base', { query: word, mode: 'keyword' }),
];
const correctTo = (newText: string): Step =>
  call('correct', (_, { hits }) => ({ chunkId: hits[0].chunkId, proposal: 'It sounds once.', newText }));
const applyIt = call('apply', (_, { correctionId }) => ({ correctionId }));
const store = (body: string): Step => call('store_knowledge', { title: 'Fog', body });

/** Every tool has its own trajectories: a tool without them fails the evaluation. */
export const TRAJECTORIES: Readonly<Record<string, Trajectories>> = {
  add_to_knowledge: {
    success: [call('add_to_knowledge', { kind: 'text', text: 'Oil is delivered on Fridays.', title: 'Oil' })],
    repair: [
      call('add_to_knowledge', { kind: 'url', text: 'Oil is delivered on Fridays.' }),
      call('add_to_knowledge', { kind: 'text', text: 'Oil is delivered on Fridays.' }),
    ],
  },
  apply: {
    success: [...ownChunk('foghorn'), correctTo('The foghorn sounds once.'), applyIt],
    repair: [
      call('apply', ({ lampId }) => ({ correctionId: lampId })),
      ...ownChunk('gong'),
      correctTo('The gong sounds once.'),
      applyIt,
    ],
  },
  carabase_attach_file: {
    success: [call('carabase_attach_file', note)],
    repair: [{ tool: 'carabase_attach_file', args: () => note, isOutsideRun: true }, 'follow'],
    isInMemoryOnly: true,
  },
  carabase_find_entity_candidates: {
    success: [call('carabase_find_entity_candidates', { text: 'Norwood' })],
    repair: [call('carabase_find_entity_candidates', { text: 'Quill Zimmerman' }), 'follow'],
  },
  carabase_query_metadata: {
    success: [call('carabase_query_metadata', { filters: { tags: ['lamps'] } })],
    repair: [call('carabase_query_metadata', { filters: { tags: ['lamps'], kind: 'clip' } }), 'follow'],
  },
  carabase_query_timeseries: {
    success: [call('carabase_query_timeseries', distance)],
    repair: [call('carabase_query_timeseries', { ...distance, metric: 'distance' }), 'follow'],
  },
  carabase_resolve_mesh_uri: {
    success: [call('carabase_resolve_mesh_uri', ({ meshUri }) => ({ uri: meshUri }))],
    // A URI of another form does not identify an artifact, so no call can be suggested.
    repair: [
      call('carabase_resolve_mesh_uri', { uri: 'manual.md' }),
      call('carabase_resolve_mesh_uri', ({ meshUri }) => ({ uri: meshUri })),
    ],
    isInMemoryOnly: true,
  },
  carabase_route_and_execute: {
    success: [call('carabase_route_and_execute', { query: 'who works at Norwood Labs?' })],
    repair: [
      call('carabase_route_and_execute', { query: 'what did I write in folio Inbox on January 5th 2020?' }),
      'follow',
    ],
  },
  carabase_search_graph: {
    success: [call('carabase_search_graph', { start_entity: 'Norwood Labs' })],
    repair: [call('carabase_search_graph', { start_entity: 'Norwod Labs' }), 'follow'],
  },
  carabase_search_semantic: {
    success: [call('carabase_search_semantic', { query: 'the wick of the lamp' })],
    repair: [call('carabase_search_semantic', { query: 'the wick of a lantern', min_similarity: 1 }), 'follow'],
  },
  carabase_traverse_memory_network: {
    success: [call('carabase_traverse_memory_network', ({ lampId }) => ({ anchor: [lampId] }))],
    repair: [call('carabase_traverse_memory_network', { anchor: ['wick lamp'] }), 'follow'],
  },
  carabase_verify_hypothesis: {
    success: [call('carabase_verify_hypothesis', { claim: 'Ada Quill works at Norwood Labs.' })],
    repair: [
      call('carabase_verify_hypothesis', { claim: 'Whales sing below any lamp in deep, cold and distant water.' }),
      'follow',
    ],
  },
  commit_to_folio: {
    success: [call('commit_to_folio', { folioName: 'Inbox', content: 'The tide turns at noon.' })],
    repair: [call('commit_to_folio', { folioName: 'Inbx', content: 'The tide turns at noon.' }), 'follow'],
  },
  correct: {
    success: [...ownChunk('whistle'), correctTo('The whistle sounds once.')],
    repair: [
      call('correct', { chunkId: 'The siren', proposal: 'It sounds once.' }),
      ...ownChunk('siren'),
      correctTo('The siren sounds once.'),
    ],
  },
  forget: {
    success: [
      call('store_knowledge', { title: 'Rumour', body: 'The harbour will be sold.' }),
      call('forget', (_, { id }) => ({ sourceId: id })),
    ],
    repair: [
      call('forget', { sourceId: 'Rumour' }),
      call('store_knowledge', { title: 'Rumour', body: 'The harbour will be sold.' }),
      call('forget', (_, { id }) => ({ sourceId: id })),
    ],
  },
  get_item: {
    success: [call('get_item', ({ lampId }) => ({ item_id: lampId }))],
    repair: [call('get_item', { item_id: 'Wicks' }), call('get_item', ({ lampId }) => ({ item_id: lampId }))],
  },
  list_recent: {
    success: [call('list_recent', { limit: 2 })],
    repair: [call('list_recent', { limit: 0 }), call('list_recent', { limit: 1 })],
  },
  recall: {
    success: [call('recall', { query: 'the wick of the lamp', minScore: 0 })],
    repair: [call('recall', { query: '' }), call('recall', { query: 'pricing of the plan', minScore: 0 })],
  },
  remember: {
    success: [call('remember', { text: 'The bell rings twice.', target_engram: 'Inbox' })],
    repair: [
      call('remember', { text: 'The bell rings twice.', graphId: 'inbox', target_engram: 'Inbox' }),
      call('remember', { text: 'The bell rings twice.', target_engram: 'Inbox' }),
    ],
  },
  search_knowledge: {
    success: [call('search_knowledge', { query: 'wick', tags: ['lamps'] })],
    repair: [call('search_knowledge', { query: 'wick', limit: 0 }), call('search_knowledge', { query: 'wick' })],
  },
  search_knowledge_base: {
    success: [call('search_knowledge_base', { query: 'wick' })],
    repair: [
      call('search_knowledge_base', { query: 'wick', mode: 'exact' }),
      call('search_knowledge_base', { query: 'wick', mode: 'keyword' }),
    ],
  },
  stats: {
    success: [call('stats', {})],
    repair: [call('stats', { verbose: true }), call('stats', {})],
  },
  store_knowledge: {
    success: [call('store_knowledge', { title: 'Fog', body: 'The horn sounds every minute in fog.' })],
    repair: [
      call('store_knowledge', { title: 'Fog', text: 'The horn sounds every minute in fog.' }),
      call('store_knowledge', { title: 'Fog', body: 'The horn sounds every minute in fog.' }),
    ],
  },
  supersede_knowledge: {
    success: [
      store('The horn sounds every minute in fog.'),
      store('The horn sounds every two minutes in fog.'),
      call('supersede_knowledge', (_, { id: newId }, [{ id: oldId }]) => ({ oldId, newId })),
    ],
    repair: [
      store('The horn sounds every hour in fog.'),
      call('supersede_knowledge', (_, { id }) => ({ oldId: id, newId: id })),
      store('The horn sounds every two hours in fog.'),
      call('supersede_knowledge', (_, { id: newId }, [{ id: oldId }]) => ({ oldId, newId })),
    ],
  },
};
