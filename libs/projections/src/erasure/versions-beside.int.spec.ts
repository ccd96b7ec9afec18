import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, tablesSql } from '@cairn/persistence';
import { TestPglite } from '@cairn/testing';
import type { Pool } from 'pg';
import { columnsOf, missingColumns } from '../read-columns.js';
import { graph } from '../graph/graph.projection.js';
import { lexical } from '../lexical/lexical.projection.js';
import type { Projection } from '../projection.js';
import { dropSlot, ensureSlot, readSlot } from '../slots.js';
import { settleVersionsBeside, tablesBeside, versionsOfOthers } from './versions-beside.js';

const FORGETTING = { position: 10 };

let server: TestPglite;
let database: Database;
let pool: Pool;

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

const besideOf = ({ name }: Projection): string => `${name}_of_12345678`;

/** The version of another build, at this position. */
const fill = async (projection: Projection, position: number): Promise<string> => {
  const name = besideOf(projection);
  const shape = { tables: (schema: string) => tablesSql(schema, projection.tables), indexes: () => [] };
  await ensureSlot(pool, shape, { name, version: 2, epoch: 2 });
  await pool.query('update cairn.projections set position = $2, applied_at = now() where name = $1', [name, position]);
  return name;
};
const stands = async (projection: Projection): Promise<boolean> =>
  (await readSlot(pool, besideOf(projection))) !== undefined;
const settle = (projection: Projection): Promise<void> => settleVersionsBeside(pool, projection, FORGETTING);

beforeEach(async () => {
  for (const projection of [graph, lexical]) await dropSlot(pool, besideOf(projection));
});

describe('the version of another build, at a forgetting', () => {
  it('stays if its handler erases forgotten rows and has passed the forgetting', async () => {
    await fill(lexical, 10);
    await settle(lexical);
    expect(await stands(lexical)).toBe(true);
  });

  it('is waited for while it is being filled', async () => {
    await fill(lexical, 9);
    await expect(settle(lexical)).rejects.toMatchObject({ code: 'projection.unavailable' });
    expect(await stands(lexical)).toBe(true);
  });

  it('is dropped if it is behind and no process fills it any more', async () => {
    const name = await fill(lexical, 9);
    await pool.query(`update cairn.projections set applied_at = now() - interval '2 minutes' where name = $1`, [name]);
    await settle(lexical);
    expect(await stands(lexical)).toBe(false);
  });

  it('is dropped if it lacks a column that the statements of this build name', async () => {
    await pool.query(`alter table ${await fill(lexical, 10)}.documents drop column item_id`);
    await settle(lexical);
    expect(await stands(lexical)).toBe(false);
  });

  it('is dropped if it has a column that this build does not know and its handler leaves the erasure to the worker', async () => {
    await pool.query(`alter table ${await fill(graph, 10)}.edges add column note text`);
    await pool.query(`alter table ${await fill(lexical, 10)}.documents add column note text`);
    await settle(graph);
    await settle(lexical);
    expect([await stands(graph), await stands(lexical)]).toEqual([false, true]);
  });

  it('has all of its tables rewritten by a purge, also unknown ones', async () => {
    const name = await fill(lexical, 10);
    await pool.query(`create table ${name}.more (body text)`);
    expect(await versionsOfOthers(pool, 'lexical')).toEqual([name]);
    expect((await tablesBeside(pool, 'lexical')).sort()).toEqual(
      ['documents', 'more', 'sensitive_folders'].map((table) => `${name}.${table}`),
    );
  });
});

describe('the columns that a build reads', () => {
  it('are missing only in tables that exist', async () => {
    expect(await missingColumns(pool, { usesOpenSearch: false })).toEqual([]);
    await pool.query(tablesSql('lexical', lexical.tables));
    await pool.query('alter table lexical.documents drop column superseded');
    expect(await missingColumns(pool, { usesOpenSearch: false })).toEqual(['lexical.documents.superseded']);
    expect(columnsOf(lexical)).toContain('lexical.documents.superseded');
    expect(await missingColumns(pool, { usesOpenSearch: true })).toEqual([]);
    await pool.query('drop schema lexical cascade');
  });
});
