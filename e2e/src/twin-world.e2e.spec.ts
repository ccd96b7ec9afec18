import { randomUUID } from 'node:crypto';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { TOOLS } from '@cairn/mcp-tools';
import { BARE_CALLS, embedded, newToken, newWorkspace, rest, storeItem, underTest, upload } from './under-test.js';

/**
 * Sends the same questions to the same world: without a folder that the reader may not see, with it, and after it was
 * forgotten. Only the time and the id of a request are masked: ids, positions, scores, order, counts, hints and traces
 * are compared too.
 */
const SENTENCES = [
  'ALICE CHEN leads Apollo. ALICE CHEN works at Meridian Labs.',
  'Alice Chen does not work at Meridian Labs.',
  'Alice Chan works at Meridian Labs.',
  'Meridian Labs is part of Northwind Group.',
];

let admin: string;
let reader: string;
let open: string;
let visible: string[];
let hidden: { readonly folderId: string; readonly items: string[]; readonly meshUri: string };

const folder = async (slug: string): Promise<string> =>
  (await rest(admin, 'POST', '/folders', { slug, name: slug, readme: `About ${slug}.` })).body.id;

const listens = async (folderId: string, artist: string): Promise<void> => {
  const { id } = (await rest(admin, 'POST', '/accounts', { connectorId: 'tidal', label: 'Listens', folderId })).body;
  const file = ['listens.csv', `id,listened_at,artist,listen_seconds\n1,2026-01-05,${artist},60\n`] as const;
  expect((await upload(admin, `/accounts/${id}/import`, file)).body).toMatchObject({ rows: 1 });
};

/** A file whose metadata alone is stored: its mesh URI. */
const sourceFile = async (folderId: string, name: string): Promise<string> => {
  const path = mkdtempSync(join(underTest.connectorRoot, 'twin-'));
  writeFileSync(join(path, name), 'Meridian Labs keeps this text at its source.');
  const account = { connectorId: 'folder', label: 'Files', settings: { path }, folderId, retention: 'metadata' };
  const { id } = (await rest(admin, 'POST', '/accounts', account)).body;
  await rest(admin, 'POST', `/accounts/${id}/sync`);
  const { items } = (await rest(admin, 'GET', `/items?folderId=${folderId}&kind=file`)).body;
  return (await rest(admin, 'GET', `/items/${items[0].id}`)).body.meshUri;
};

const link = (fromItemId: string, toItemId: string, type: string) =>
  rest(admin, 'POST', '/links', { links: [{ fromItemId, toItemId, type }] });

/** The graph follows the log. */
const isRead = async (name: string): Promise<void> => {
  while ((await rest(admin, 'GET', `/graph?entity=${encodeURIComponent(name)}`)).body.entity === null);
};

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  open = await folder('open');
  visible = [];
  for (const text of [
    'Alice Chen works at Meridian Labs.',
    'Bob Stone works at Meridian Labs.',
    'Zoe Quill reports to Bob Stone.',
  ])
    visible.push((await storeItem(admin, { title: 'A note', folderId: open, text, tags: ['red'] })).id);
  await link(visible[0]!, visible[1]!, 'supports');
  await listens(open, 'Nina Simone');
  for (const id of visible) await embedded(admin, id);
  await isRead('Zoe Quill');
  reader = await newToken(admin, { scopes: ['graph:read', 'graph:write'], isUnscoped: false, folderIds: [open] });
}, 120_000);

/** Content with the same names, links, series and words as the open folder, and with similar names. */
const hide = async (): Promise<void> => {
  const folderId = await folder('secret-plans');
  const items: string[] = [];
  for (const text of SENTENCES)
    items.push((await storeItem(admin, { title: 'Hidden', folderId, text, tags: ['red', 'blue'] })).id);
  for (const type of ['supports', 'derived_from']) await link(visible[0]!, items[0]!, type);
  await link(items[0]!, visible[2]!, 'causes');
  await listens(folderId, 'Alice Coltrane');
  const meshUri = await sourceFile(folderId, 'harbour.md');
  for (const id of items) await embedded(admin, id);
  await isRead('Northwind Group');
  const find = async (name: string) => (await rest(admin, 'GET', `/entities?query=${name}`)).body.items[0].id;
  const merge = { aliasId: await find('Apollo'), canonicalId: await find('Meridian') };
  expect((await rest(admin, 'POST', '/entities/merges', merge)).status).toBe(201);
  hidden = { folderId, items, meshUri };
};

const forgetHidden = async (): Promise<void> => {
  for (;;) {
    const { items } = (await rest(admin, 'GET', `/items?folderId=${hidden.folderId}&limit=100`)).body;
    if (items.length === 0) return;
    for (const { id } of items) await rest(admin, 'DELETE', `/items/${id}`);
  }
};

const RANGE = { from: '2026-01-01', to: '2026-02-01' };
const series = (source: string, metric = 'plays') => ({ source, metric, group_by: 'artist', range: RANGE });

/** Every tool, called for existing content, for content of the hidden folder only, and for nothing at all. */
const QUESTIONS: readonly (readonly [tool: string, args: () => object])[] = [
  ['carabase_search_semantic', () => ({ query: 'Where does Alice Chen work?', min_similarity: 0, k: 50 })],
  ['carabase_search_semantic', () => ({ query: 'Northwind Group', min_similarity: 0.99 })],
  ['carabase_search_graph', () => ({ start_entity: 'alice chen', depth: 3, min_confidence: 0 })],
  ['carabase_search_graph', () => ({ start_entity: 'Meridian Labs', depth: 3, min_confidence: 0 })],
  ['carabase_search_graph', () => ({ start_entity: 'Apollo' })],
  ['carabase_search_graph', () => ({ start_entity: 'Alice' })],
  ['carabase_query_metadata', () => ({ filters: { entity_name: 'Meridian Labs' } })],
  ['carabase_query_metadata', () => ({ filters: { tags: ['red'], date_from: '2020-01-01' } })],
  ['carabase_query_metadata', () => ({ filters: { tags: ['blue'], entity_name: 'Alice Chen' } })],
  ['carabase_query_metadata', () => ({ filters: { folio_id: hidden?.folderId ?? randomUUID() } })],
  ['carabase_find_entity_candidates', () => ({ text: 'Alice' })],
  ['carabase_find_entity_candidates', () => ({ text: 'Alice Chxn' })],
  ['carabase_find_entity_candidates', () => ({ text: 'Northwind', hints: { near: ['Meridian Labs'] } })],
  ['carabase_route_and_execute', () => ({ query: 'Who works at Meridian Labs?' })],
  ['carabase_route_and_execute', () => ({ query: 'Who works at Apollo?' })],
  ['carabase_route_and_execute', () => ({ query: 'What is in secret-plans?' })],
  ['carabase_route_and_execute', () => ({ query: 'What did I write in 2020?' })],
  ['carabase_query_timeseries', () => series('tidal')],
  ['carabase_query_timeseries', () => series('strava')],
  ['carabase_query_timeseries', () => series('tidal', 'steps')],
  ['carabase_resolve_mesh_uri', () => ({ uri: hidden?.meshUri ?? `mesh://folder/${randomUUID()}/${randomUUID()}` })],
  ['carabase_traverse_memory_network', () => ({ anchor: [visible[0]], depth: 3 })],
  ['carabase_traverse_memory_network', () => ({ anchor: [visible[0], visible[2]], mode: 'shortest_path', depth: 3 })],
  ['carabase_traverse_memory_network', () => ({ anchor: [visible[2]], mode: 'neighbours' })],
  ['carabase_traverse_memory_network', () => ({ anchor: [hidden?.items[0] ?? randomUUID()] })],
  ['carabase_verify_hypothesis', () => ({ claim: 'Alice Chen works at Meridian Labs.' })],
  ['carabase_verify_hypothesis', () => ({ claim: 'Alice Chen leads Apollo.' })],
  ['commit_to_folio', () => ({ folioName: 'secret-plan', content: 'A text that is not stored.' })],
  ['commit_to_folio', () => ({ folioName: 'secret-plans', content: 'A text that is not stored.' })],
  ['carabase_attach_file', () => ({ file_name: 'a.txt', content_base64: 'YQ==' })],
];

/** Without the time and the id of the request, and without the ids that the question itself contains. */
const comparable = (answer: unknown, args: object): string => {
  const given = JSON.stringify(args).match(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g) ?? [];
  const own = given.filter((id) => !visible.includes(id));
  return own
    .reduce((text, id) => text.replaceAll(id, 'given'), JSON.stringify(answer))
    .replaceAll(/"(now|fetched_at)":"[^"]*"/g, '"$1":""')
    .replaceAll(/(correlationId)("?:"| )[0-9a-f-]{36}/g, '$1');
};

const answers = async (): Promise<Record<string, string>> => {
  const given: Record<string, string> = {};
  for (const [i, [tool, input]] of QUESTIONS.entries()) {
    const args = input();
    const { body } = await BARE_CALLS['initialize era']!(reader, tool, args);
    given[`${i} ${tool}`] = comparable(body.result ?? body.error, args);
  }
  return given;
};

describe('a folder that the reader may not see', () => {
  it('is the subject of a call to every tool of the graph', () => {
    const listed = TOOLS.filter(({ toolset }) => toolset === 'graph').map(({ name }) => name);
    // Not offered over the network, and answered like any unknown tool.
    const all = [...listed, 'carabase_attach_file'];
    expect([...new Set(QUESTIONS.map(([tool]) => tool))].sort()).toEqual(all.sort());
  });

  it('changes no byte of any answer, neither while it exists nor after it was forgotten', async () => {
    const without = await answers();
    expect(await answers()).toEqual(without);
    await hide();
    expect(await answers()).toEqual(without);
    await forgetHidden();
    expect(await answers()).toEqual(without);
  }, 180_000);
});
