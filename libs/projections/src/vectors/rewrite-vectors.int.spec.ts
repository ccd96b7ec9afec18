import { randomUUID } from 'node:crypto';
import { systemIds } from '@cairn/kernel';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { VECTOR_DIMENSIONS } from '@cairn/contracts';
import { Database, tablesSql } from '@cairn/persistence';
import { TestPglite } from '@cairn/testing';
import type { Pool } from 'pg';
import { hashTables } from '../canonical-hash.js';
import { dropSlot, ensureSlot, readSlot, slotsWithTables } from '../slots.js';
import { vectorsIndexes, vectorsTables } from './vectors.schema.js';
import { rewriteVectors, VECTORS_REWRITE } from './rewrite-vectors.js';

const SHAPE = { tables: (schema: string) => tablesSql(schema, vectorsTables), indexes: vectorsIndexes };
const SOME = 120;

let server: TestPglite;
let database: Database;
let pool: Pool;
let added = 0;

beforeAll(async () => {
  server = await TestPglite.start();
  database = await Database.connect({ url: server.url, applicationName: 'test', pipeline: true });
  await database.migrate();
  pool = database.pool;
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

const add = async (count: number, model = 'm'): Promise<string[]> => {
  const ids = Array.from({ length: count }, () => systemIds.next());
  await pool.query(
    `insert into vectors.embeddings (chunk_id, model, text_hash, workspace_id, embedding, position, seq)
     select id, $2, 'h', id, (select array_agg(sin(n * $3::float8 + i)) from generate_series(1, ${VECTOR_DIMENSIONS}) i)::vector, n, n
     from unnest($1::uuid[]) with ordinality as x(id, n)`,
    [ids, model, ++added],
  );
  return ids;
};
const remove = (ids: readonly string[]): Promise<unknown> =>
  pool.query('delete from vectors.embeddings where chunk_id = any ($1::uuid[])', [ids]);
const hash = (): Promise<unknown> => hashTables(pool, 'vectors', ['embeddings', 'failures']);
const fileOf = async (relation: string): Promise<string> =>
  (await pool.query<{ path: string }>('select pg_relation_filepath($1) as path', [relation])).rows[0]!.path;

beforeEach(async () => {
  await dropSlot(pool, 'vectors');
  await ensureSlot(pool, SHAPE, { name: 'vectors', version: 3, epoch: 7 });
  await pool.query("update cairn.projections set position = 42 where name = 'vectors'");
});

describe('rewriting the vectors', () => {
  it('keeps every row in new files, and raises the epoch to fence the projector', async () => {
    const ids = await add(SOME);
    await add(5, 'another model');
    await pool.query("insert into vectors.failures values ($1, 'm', 'h', $1, 9)", [randomUUID()]);
    await remove(ids.slice(0, 20));
    const before = [await hash(), await fileOf('vectors.embeddings'), await fileOf('vectors.embeddings_pkey')];
    await rewriteVectors(pool, new AbortController().signal);
    expect(await hash()).toEqual(before[0]);
    expect([await fileOf('vectors.embeddings'), await fileOf('vectors.embeddings_pkey')]).not.toEqual(before.slice(1));
    expect(await readSlot(pool, 'vectors')).toMatchObject({ version: 3, checkpoint: { position: 42, epoch: 8 } });
    expect([await slotsWithTables(pool, [VECTORS_REWRITE]), await readSlot(pool, VECTORS_REWRITE)]).toEqual([
      [],
      undefined,
    ]);
  });

  it('includes rows that are written, changed and deleted meanwhile', async () => {
    const ids = await add(SOME);
    let rewriting = true;
    const rewritten = rewriteVectors(pool, new AbortController().signal).finally(() => (rewriting = false));
    const late: string[] = [];
    for (let i = 0; rewriting && i < 40; i++) {
      late.push(...(await add(1)));
      await remove(ids.splice(0, 1));
      await pool.query(
        'update vectors.embeddings set position = position + 1000, seq = seq + 1000 where chunk_id = $1',
        [ids.at(-1 - i)],
      );
    }
    await rewritten;
    expect(late.length).toBeGreaterThan(1);
    const { rows } = await pool.query<{ id: string }>('select chunk_id as id from vectors.embeddings');
    expect(rows.map(({ id }) => id).sort()).toEqual([...ids, ...late].sort());
    const { rows: moved } = await pool.query('select from vectors.embeddings where position > 1000');
    expect(moved).toHaveLength(late.length);
  });

  it('ends even while rows are added without a pause', async () => {
    await add(SOME);
    let rewriting = true;
    const rewritten = rewriteVectors(pool, new AbortController().signal).finally(() => (rewriting = false));
    let late = 0;
    while (rewriting && late < 5_000) late += (await add(2)).length;
    await rewritten;
    expect(late).toBeLessThan(5_000);
    expect((await pool.query('select from vectors.embeddings')).rowCount).toBe(SOME + late);
  });

  it('stops immediately when aborted, and leaves the live vectors unchanged', async () => {
    await add(SOME);
    const before = await hash();
    const stopping = new AbortController();
    const rewriting = rewriteVectors(pool, stopping.signal);
    stopping.abort();
    await expect(rewriting).rejects.toMatchObject({ name: 'AbortError' });
    expect(await hash()).toEqual(before);
    expect(await readSlot(pool, 'vectors')).toMatchObject({ checkpoint: { position: 42, epoch: 7 } });
  });

  it('starts again after an interruption, and leaves the live vectors unchanged until then', async () => {
    await add(SOME);
    const before = await hash();
    await ensureSlot(pool, SHAPE, { name: VECTORS_REWRITE, version: 3, epoch: 8 });
    await pool.query(`insert into ${VECTORS_REWRITE}.embeddings select * from vectors.embeddings limit 7`);
    expect(await hash()).toEqual(before);
    await rewriteVectors(pool, new AbortController().signal);
    expect([await hash(), await slotsWithTables(pool, [VECTORS_REWRITE])]).toEqual([before, []]);
  });

  it('only swaps an empty table', async () => {
    await rewriteVectors(pool, new AbortController().signal);
    expect((await pool.query('select from vectors.embeddings')).rowCount).toBe(0);
  });
});
