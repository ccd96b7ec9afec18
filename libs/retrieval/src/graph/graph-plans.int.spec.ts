import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { EDGE_SOURCE_KINDS, LINK_TYPES } from '@cairn/contracts';
import type { Pool, PoolClient, QueryConfig } from 'pg';
import { queryItems } from '../query-items.js';
import { edgeView } from './edge-view.js';
import { entityDetail } from './entity-detail.js';
import { entityKeys } from './entity-keys.js';
import { findEntities } from './find-entities.js';
import type { GraphContext } from './graph-context.js';
import { GraphReads, type SeededText } from './graph-reads.harness.js';
import { itemMentions } from './item-mentions.js';
import { listEntities } from './list-entities.js';
import { walkGraph } from './walk-graph.js';
import { walkLinks } from './walk-links.js';

/** Rows of each big table. A query about one name or one memory reads only a small part of them. */
const CROWD = 20_000;
const TOUCHED_MAX = CROWD / 20;

let reads: GraphReads;
let anchor: SeededText;
let context: GraphContext;
let guest: GraphContext;
let edgeId: string;

const LINK_COLUMNS = 'id, workspace_id, from_id, to_id, type, confidence, source_kind, to_gone, position';

/** Copies of one row of each table under other ids and names: a crowd that no query is about. */
const COPIES = [
  `insert into library.items select (r).* from (
     select jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'position', n)) as r
       from library.items i, generate_series(1, ${CROWD}) n where i.id = $1) x`,
  `insert into library.chunks select (r).* from (
     select jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'item_id', i.id)) as r
       from library.chunks c, library.items i where c.item_id = $1 and i.id <> $1 and i.workspace_id = c.workspace_id) x`,
  `insert into library.bodies select (r).* from (
     select jsonb_populate_record(b, jsonb_build_object('chunk_id', c.id, 'item_id', c.item_id)) as r
       from library.bodies b, library.chunks c where b.item_id = $1 and c.item_id <> $1) x on conflict do nothing`,
  `insert into graph.mentions select (r).* from (
     select jsonb_populate_record(m, jsonb_build_object('chunk_id', c.id, 'item_id', c.item_id,
              'entity_key', 'name ' || md5(c.id::text))) as r
       from graph.mentions m, library.chunks c
       where m.ctid = (select min(ctid) from graph.mentions where item_id = $1) and c.item_id <> $1) x on conflict do nothing`,
  `insert into graph.entities
     select workspace_id, entity_key, gen_random_uuid() from graph.mentions where item_id <> $1 on conflict do nothing`,
  `insert into graph.edges select (r).* from (
     select jsonb_populate_record(e, jsonb_build_object('chunk_id', m.chunk_id, 'item_id', m.item_id,
              'id', gen_random_uuid(), 'subject_key', m.entity_key, 'object_key', 'name ' || md5(m.entity_key))) as r
       from graph.edges e, graph.mentions m
       where e.ctid = (select min(ctid) from graph.edges where item_id = $1) and m.item_id <> $1) x on conflict do nothing`,
  `insert into library.memory_links (${LINK_COLUMNS})
     select gen_random_uuid(), i.workspace_id, i.id, j.id, 'related', 1, 'extracted', false, 1
       from (select id, workspace_id, row_number() over (order by id) as n from library.items where id <> all ($2)) i
       join (select id, row_number() over (order by id) as n from library.items where id <> all ($2)) j on j.n = i.n + 1`,
  `insert into library.memory_links (${LINK_COLUMNS})
     select gen_random_uuid(), workspace_id, $1, ($2::uuid[])[2], 'supports', 1, 'extracted', false, 1
       from library.items where id = $1`,
  `insert into graph.text_links (chunk_id, item_id, workspace_id, text_hash, id, to_id, position)
     select c.id, c.item_id, c.workspace_id, c.text_hash, gen_random_uuid(), gen_random_uuid(), 1 from library.chunks c`,
  // Everything in the crowd is also stated of one name.
  `insert into graph.edges select (r).* from (
     select jsonb_populate_record(e, jsonb_build_object('chunk_id', m.chunk_id, 'item_id', m.item_id,
              'id', gen_random_uuid(), 'object_key', m.entity_key, 'position', m.position + 1)) as r
       from graph.edges e, graph.mentions m where e.subject_key = 'hub city' and m.item_id <> all ($2)) x`,
  `update library.folders f set chunk_count = (select count(*) from library.chunks c where c.folder_id = f.id)`,
];

beforeAll(async () => {
  reads = await GraphReads.start();
  const { library } = reads;
  const workspaceId = await library.workspace();
  const folderId = await library.folder({ workspaceId });
  anchor = await reads.text(workspaceId, folderId, 'Alice Chen works at Meridian Labs.');
  const other = await reads.text(workspaceId, folderId, 'Alice Chen manages Bob Stone.');
  await reads.observe(anchor, [{ subject: 'Hub City' }]);
  const given = [anchor.itemId, [anchor.itemId, other.itemId]];
  // Every statement needs both parameters, whether or not it uses them.
  for (const sql of COPIES) await library.pool.query(`with given as (select $1::uuid, $2::uuid[]) ${sql}`, given);
  context = await reads.context({ workspaceId });
  edgeId = (await walkGraph(context, { ...WALK, entity: 'Alice Chen', depth: 1 })).edges[0]!.id;
  const small = await library.folder({ workspaceId, name: 'Small' });
  await reads.text(workspaceId, small, 'Carol Diaz works at Northwind Labs.');
  guest = await reads.context({ workspaceId, folderIds: [small] });
}, 120_000);
afterAll(() => reads.stop());

interface Touched {
  readonly table: string;
  readonly scans: number;
  readonly rows: number;
}

/** Tables and indexes: a bitmap of a whole index fetches few rows of its table. */
const TOUCHED = `
select i.indexrelid::regclass::text as table, 0 as scans, pg_stat_get_xact_tuples_returned(i.indexrelid)::int as rows
  from pg_index i
  join pg_class c on c.oid = i.indexrelid and c.relnamespace in ('library'::regnamespace, 'graph'::regnamespace)
  where pg_stat_get_xact_tuples_returned(i.indexrelid) > 0
union all
select schemaname || '.' || relname as table, seq_scan::int as scans, (seq_tup_read + coalesce(idx_tup_fetch, 0))::int as rows
  from pg_stat_xact_user_tables
  where schemaname in ('library', 'graph') and relname <> 'folders' and seq_scan + coalesce(idx_scan, 0) > 0`;

/** Runs all statements of the work on one connection and in one transaction, so that the counters are exact. */
const touchedBy = async (work: (pool: Pool) => Promise<unknown>): Promise<Touched[]> => {
  const client: PoolClient = await reads.library.pool.connect();
  try {
    // What the connection read before would be counted as well.
    await client.query('select pg_stat_force_next_flush()');
    await client.query('begin');
    const query = client.query.bind(client);
    await work({ query, connect: () => Promise.resolve({ query, release: () => undefined }) } as unknown as Pool);
    return (await client.query<Touched>(TOUCHED)).rows;
  } finally {
    await client.query('rollback');
    client.release();
  }
};

const WALK = { minConfidence: 0, sourceKinds: [...EDGE_SOURCE_KINDS], surface: 'mcp' as const };

const ZEBULON = { ...WALK, entity: 'Zebulon', depth: 1 };

const QUESTIONS: readonly (readonly [string, (context: GraphContext) => Promise<unknown>])[] = [
  [
    'a walk over links',
    ({ reader, ...given }) =>
      walkLinks(
        { ...given, nowMs: () => 0 },
        {
          anchor: [anchor.itemId],
          mode: 'pagerank',
          depth: 2,
          limit: 10,
          linkTypes: [...LINK_TYPES],
          minConfidence: 0,
          reader: { ...reader, kbOnly: false },
        },
      ),
  ],
  ['a walk over edges', (given) => walkGraph(given, { ...WALK, entity: 'Alice Chen', depth: 2 })],
  ['an entity by its id', async (given) => entityDetail(given, given.entityId('alice chen'))],
  ['an edge by its id', (given) => edgeView(given, edgeId)],
  ['the names in an item', (given) => itemMentions(given, anchor.itemId)],
  ['a name that does not exist', (given) => walkGraph(given, { ...WALK, entity: 'Zebulon Quark', depth: 2 })],
  [
    'items that mention a name',
    (given) =>
      queryItems(
        { ...given, entityKeys: (name) => entityKeys(given, name) },
        { entityName: 'Alice Chen', limit: 5 },
        { ...given.reader, kbOnly: true },
      ),
  ],
  ['candidates for a whole name', (given) => findEntities(given, { text: 'Alice Chen', limit: 8 })],
  ['candidates for the beginning of a word', (given) => findEntities(given, { text: 'Meri', limit: 8 })],
  [
    'candidates with hints',
    (given) => findEntities(given, { text: 'Alice', hints: { near: ['Bob Stone'] }, limit: 8 }),
  ],
];

/** The embedded database never gathers statistics by itself, a native one does so at a time of its own choosing. */
describe.each([
  ['without statistics', 'select'],
  ['with statistics', 'analyze'],
])('in a large library %s', (_name, prepare) => {
  beforeAll(() => reads.library.pool.query(prepare));

  it.each(QUESTIONS)('%s reads a small part of every table, by its indexes', async (_, ask) => {
    const touched = await touchedBy((pool) => ask({ ...context, pool }));
    expect(touched.filter(({ scans }) => scans > 0)).toEqual([]);
    // The names themselves are compared one by one if the spelling may be wrong.
    const others = touched.filter(({ table }) => !table.startsWith('graph.entities'));
    expect(others.filter(({ rows }) => rows > TOUCHED_MAX)).toEqual([]);
    expect(touched.length).toBeGreaterThan(1);
  });

  it('the names of a small folder are listed from a small part of every table', async () => {
    const { items } = await listEntities(guest, { limit: 50 }, null);
    expect(items.map(({ name }) => name)).toEqual(['Carol Diaz', 'Northwind Labs']);
    const touched = await touchedBy((pool) => listEntities({ ...guest, pool }, { limit: 50 }, null));
    expect(touched.filter(({ scans, rows }) => scans > 0 || rows > TOUCHED_MAX)).toEqual([]);
    const all = await listEntities(context, { limit: 50, query: 'labs' }, null);
    expect(all.items.map(({ name }) => name)).toEqual(['Meridian Labs', 'Northwind Labs']);
  });

  it('an unknown word is compared with a small part of the names', async () => {
    let received = 0;
    const connect = async () => {
      const client = await context.pool.connect();
      const query = async (given: QueryConfig) => {
        const result = await client.query(given);
        received += result.rows.length;
        return result;
      };
      return { query, release: () => client.release() };
    };
    expect((await walkGraph({ ...context, pool: { connect } as unknown as Pool }, ZEBULON)).candidates).toEqual([]);
    expect(received).toBeLessThan(TOUCHED_MAX);
  });

  it('a walk from a name that everything is stated of reads part of it, and says so', async () => {
    const hub = { ...WALK, entity: 'Hub City', depth: 1 };
    const { edges, truncated } = await walkGraph(context, hub);
    expect([edges.length, truncated]).toEqual([50, true]);
    const touched = await touchedBy((pool) => walkGraph({ ...context, pool }, hub));
    expect(touched.filter(({ scans, rows }) => scans > 0 || rows > 0.75 * CROWD)).toEqual([]);
  });
});
