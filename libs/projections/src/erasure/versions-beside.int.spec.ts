import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Database, tablesSql } from '@cairn/persistence';
import { TestPglite } from '@cairn/testing';
import type { Pool } from 'pg';
import { columnsOf, missingColumns } from '../read-columns.js';
import { lexical } from '../lexical/lexical.projection.js';
import type { Projection } from '../projection.js';
import { vectors } from '../vectors/vectors.projection.js';
import { dropSlot, ensureSlot, readSlot } from '../slots.js';
import {
  dropAbandonedVersions,
  dropUnknownVersions,
  orDrop,
  tablesBeside,
  versionsOfOthers,
  versionsReached,
} from './versions-beside.js';

/** A minute ago: a process that follows has applied it since. */
const FORGETTING = { position: 10, forgottenAt: new Date(Date.now() - 60_000) };

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
const settle = async (projection: Projection, forgottenAt = FORGETTING.forgottenAt): Promise<void> => {
  await dropUnknownVersions(pool, projection);
  await dropAbandonedVersions(pool, [{ ...FORGETTING, forgottenAt }]);
};
const leaveAlone = (name: string): Promise<unknown> =>
  pool.query(`update cairn.projections set applied_at = now() - interval '2 minutes' where name = $1`, [name]);

beforeEach(async () => {
  for (const projection of [vectors, lexical]) await dropSlot(pool, besideOf(projection));
});

describe('the version of another build, at a forgetting', () => {
  it('stays if its handler erases forgotten rows and has passed the forgetting', async () => {
    await fill(lexical, 10);
    await settle(lexical);
    expect(await stands(lexical)).toBe(true);
  });

  it('is waited for while it is being filled, by the receipt', async () => {
    await fill(lexical, 9);
    await settle(lexical);
    expect([await stands(lexical), await versionsReached(pool, lexical)]).toEqual([true, 9]);
    await fill(vectors, 3);
    expect(await versionsReached(pool, vectors)).toBe(Infinity);
  });

  it('is dropped if it is behind and no process fills it any more', async () => {
    await leaveAlone(await fill(lexical, 9));
    await settle(lexical, new Date());
    expect(await stands(lexical)).toBe(true);
    await settle(lexical);
    expect(await stands(lexical)).toBe(false);
  });

  it('is filled as far as anyone knows when it was created just now', async () => {
    await fill(lexical, 0);
    const { rows } = await pool.query<{ applied_at: Date }>(
      'select applied_at from cairn.projections where name = $1',
      [besideOf(lexical)],
    );
    expect(rows[0]!.applied_at).toBeInstanceOf(Date);
  });

  it('is dropped if a statement of this build names a column that it lacks', async () => {
    const name = await fill(lexical, 10);
    await orDrop(pool, name, () => pool.query(`select item_id from ${name}.documents`));
    expect(await stands(lexical)).toBe(true);
    await pool.query(`alter table ${name}.documents drop column item_id`);
    await orDrop(pool, name, () => pool.query(`select item_id from ${name}.documents`));
    expect(await stands(lexical)).toBe(false);
    await expect(orDrop(pool, name, () => pool.query('select 1 / 0'))).rejects.toThrow('division by zero');
  });

  it('is dropped if it has a column that this build does not know, and no handler that erases it', async () => {
    await pool.query(`alter table ${await fill(vectors, 10)}.embeddings add column note text`);
    await pool.query(`alter table ${await fill(lexical, 10)}.documents add column note text`);
    await settle(vectors);
    await settle(lexical);
    expect([await stands(vectors), await stands(lexical)]).toEqual([false, true]);
  });

  it('is dropped if this build does not have its projection', async () => {
    const unknown = { ...lexical, name: 'notes' };
    await fill(unknown, 10);
    await settle(lexical);
    expect(await stands(unknown)).toBe(false);
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
