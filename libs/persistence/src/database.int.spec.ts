import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TestPglite } from '@cairn/testing';
import { databaseError } from './database-error.js';
import { Database } from './data-source.js';
import { migrations } from './migrations/index.js';

let server: TestPglite;
let database: Database;

beforeAll(async () => {
  server = await TestPglite.start();
  database = await Database.connect({ url: server.url, applicationName: 'test', pipeline: true });
});
afterAll(async () => {
  await database.close();
  await server.stop();
});

const failureOf = (sql: string): Promise<unknown> => database.pool.query(sql).then(() => undefined, databaseError);

describe('the database', () => {
  it('is migrated once, however often that is requested', async () => {
    await database.migrate();
    await Promise.all([database.migrate(), database.migrate()]);
    const { rows } = await database.pool.query('select count(*)::int as n from cairn_migrations');
    expect(rows).toEqual([{ n: migrations.length }]);
    await database.pool.query('select position, epoch from cairn.projections');
  });

  it('builds a BM25 index with every setting that the environment allows, and rejects a lower k1', async () => {
    await database.migrate();
    await database.pool.query('create table bm25_range (body text)');
    const build = (k1: number, b: number): Promise<unknown> =>
      failureOf(`create index on bm25_range using bm25 (body) with (text_config = 'english', k1 = ${k1}, b = ${b})`);
    expect([await build(0.1, 0), await build(10, 1)]).toEqual([undefined, undefined]);
    expect(await build(0.09, 0)).toMatchObject({ code: 'internal.defect' });
  });

  it('moves a checkpoint only from the expected position', async () => {
    await database.pool.query(`insert into cairn.projections (name, version, position, epoch) values ('x', 1, 5, 1)`);
    await database.pool.query(`select cairn.move_checkpoint('x', 5, 1, 9)`);
    for (const stale of [`'x', 5, 1, 10`, `'x', 9, 2, 10`, `'y', 9, 1, 10`]) {
      await expect(database.pool.query(`select cairn.move_checkpoint(${stale})`)).rejects.toMatchObject({
        code: 'CAF01',
      });
    }
    const { rows } = await database.pool.query(`select position::int from cairn.projections where name = 'x'`);
    expect(rows).toEqual([{ position: 9 }]);
  });

  it('distinguishes bugs in Cairn from an unavailable Postgres', async () => {
    expect(await failureOf('selec 1')).toMatchObject({ code: 'internal.defect' });
    expect(await failureOf('select 1 / 0')).toMatchObject({ code: 'internal.defect' });
    const connecting = Database.connect({ url: 'postgres://postgres@127.0.0.1:1/postgres', applicationName: 'test' });
    await expect(connecting).rejects.toMatchObject({ code: 'projection.unavailable', kind: 'unavailable' });
  });

  it('cancels a statement at the time limit of its connection', async () => {
    const limited = await Database.connect({ url: server.url, applicationName: 'test', statementMsMax: 200 });
    const endless = 'select count(*) from generate_series(1, 1000000000) i where sqrt(i) < 0';
    const failure: unknown = await limited.pool.query(endless).then(() => undefined, databaseError);
    expect(failure).toMatchObject({ code: 'service.timeout', kind: 'unavailable' });
    await limited.close();
  });

  it('recovers without help after its server was killed', async () => {
    const back = server.kill();
    expect(await failureOf('select 1')).toMatchObject({ code: 'projection.unavailable' });
    await back;
    const { rows } = await database.pool.query('select 1 as one').catch(() => database.pool.query('select 1 as one'));
    expect(rows).toEqual([{ one: 1 }]);
  });
});
