import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { METADATA_TOTAL_MAX, type ItemFilter } from '@cairn/contracts';
import type { Pool } from 'pg';
import { entityKeys } from './graph/entity-keys.js';
import { GraphReads } from './graph/graph-reads.harness.js';
import { queryItems } from './query-items.js';

let reads: GraphReads;
let workspaceId: string;
let open: string;
let hidden: string;
let oldest: string;

/** Newer copies of the item, one for each position, that mention the same. */
const copyItem = async (itemId: string, copies: number): Promise<void> => {
  for (const sql of [
    `insert into library.items select (r).* from (
       select jsonb_populate_record(i, jsonb_build_object('id', gen_random_uuid(), 'position', i.position + n,
                'created_at', '2026-05-01T00:00:00Z')) as r
         from library.items i, generate_series(1, ${copies}) n where i.id = $1) x`,
    `insert into library.chunks select (r).* from (
       select jsonb_populate_record(c, jsonb_build_object('id', gen_random_uuid(), 'item_id', i.id)) as r
         from library.chunks c join library.items i on i.workspace_id = c.workspace_id and i.id <> c.item_id
         where c.item_id = $1) x`,
    `insert into graph.mentions select (r).* from (
       select jsonb_populate_record(m, jsonb_build_object('chunk_id', c.id, 'item_id', c.item_id,
                'position', i.position)) as r
         from graph.mentions m join library.chunks c on c.workspace_id = m.workspace_id and c.item_id <> m.item_id
         join library.items i on i.id = c.item_id
         where m.item_id = $1) x`,
  ])
    await reads.library.pool.query(sql, [itemId]);
};

beforeAll(async () => {
  reads = await GraphReads.start();
  const { library } = reads;
  workspaceId = await library.workspace();
  open = await library.folder({ workspaceId });
  hidden = await library.folder({ workspaceId });
  oldest = (await reads.text(workspaceId, open, 'Alice Chen works at Meridian Labs.')).itemId;
  await library.pool.query(`update library.items set created_at = '2024-05-01T00:00:00Z' where id = $1`, [oldest]);
  await copyItem(oldest, METADATA_TOTAL_MAX);
  await reads.text(workspaceId, hidden, 'Alice Chen leads Apollo.');
}, 60_000);
afterAll(() => reads.stop());

/** Shows the oldest item only: the copies have keys of another item and cannot be opened. */
const query = async (filter: ItemFilter, folderIds: readonly string[] | null = [open], pool = reads.library.pool) => {
  const context = { ...(await reads.context({ workspaceId, folderIds })), pool };
  const stores = { ...context, entityKeys: (name: string) => entityKeys(context, name) };
  return queryItems(stores, { ...filter, limit: filter.to === undefined ? 0 : 5 }, { ...context.reader, kbOnly: true });
};

describe('items by an entity', () => {
  it('are found with another filter, however many newer items mention it', async () => {
    const found = await query({ entityName: 'Alice Chen', to: '2025-01-01T00:00:00Z' });
    expect([found.items.map(({ id }) => id), found.total]).toEqual([[oldest], 1]);
  });

  it('are counted up to the bound, and every mention is read once', async () => {
    const client = await reads.library.pool.connect();
    try {
      // What the connection read before would be counted as well.
      await client.query('select pg_stat_force_next_flush()');
      await client.query('begin');
      const run = client.query.bind(client);
      const pool = { query: run, connect: () => Promise.resolve({ query: run, release: () => undefined }) };
      const found = await query({ entityName: 'alice chen' }, [open], pool as unknown as Pool);
      expect(found.total).toBe(METADATA_TOTAL_MAX);
      const { rows } = await client.query<{ n: string }>(
        `select seq_tup_read + idx_tup_fetch as n from pg_stat_xact_user_tables where relname = 'mentions' and schemaname = 'graph'`,
      );
      expect(Number(rows[0]!.n)).toBeLessThan(3 * METADATA_TOTAL_MAX);
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  it('are those that the reader may see', async () => {
    const counts = [];
    for (const [folderId, folderIds] of [
      [hidden, null],
      [hidden, [hidden]],
      [open, [open]],
    ] as const)
      counts.push((await query({ entityName: 'Alice Chen', folderId }, folderIds)).total);
    expect(counts).toEqual([1, 1, METADATA_TOTAL_MAX]);
    expect((await query({ entityName: 'Apollo' }, [open])).total).toBe(0);
    expect((await query({ entityName: 'Apollo' }, null)).total).toBe(1);
  });

  it('are none for an unknown name', async () => {
    expect(await query({ entityName: 'Zebulon Quark' })).toMatchObject({ total: 0, matched: { entityName: 0 } });
  });
});
