import type { Checkpoint } from '@cairn/op-log';
import type { Pool } from 'pg';
import type { PostgresProjection } from './projection.js';

/** Where a version of a projection lives: `library` is live, `library_next` is being built beside it. */
export interface Slot {
  readonly name: string;
  readonly version: number;
  readonly checkpoint: Checkpoint;
}

export const nextSlotName = (projection: string): string => `${projection}_next`;

export const readSlot = async (pool: Pool, name: string): Promise<Slot | undefined> => {
  const { rows } = await pool.query<{ version: number; position: string; epoch: number }>(
    'select version, position, epoch from cairn.projections where name = $1',
    [name],
  );
  const row = rows[0];
  return row && { name, version: row.version, checkpoint: { position: Number(row.position), epoch: row.epoch } };
};

/** Makes the tables and the checkpoint of a slot together, or leaves an existing one as it is. */
export const ensureSlot = async (
  pool: Pool,
  projection: Pick<PostgresProjection<never>, 'tables'>,
  slot: { readonly name: string; readonly version: number; readonly epoch: number },
): Promise<void> => {
  if (await readSlot(pool, slot.name)) return;
  const client = await pool.connect();
  try {
    await client.query('begin');
    // A row first: of two processes that start together, the second waits here and then finds the work done.
    const { rowCount } = await client.query(
      'insert into cairn.projections (name, version, position, epoch) values ($1, $2, 0, $3) on conflict do nothing',
      [slot.name, slot.version, slot.epoch],
    );
    if (rowCount === 1) {
      await client.query(`drop schema if exists ${slot.name} cascade`);
      await client.query(projection.tables(slot.name));
    }
    await client.query('commit');
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined);
    throw thrown;
  } finally {
    client.release();
  }
};

/**
 * Puts the next version in the place of the live one. Readers see the old version up to the commit and the new one after
 * it; whoever still writes the old one is fenced. False when live has moved on meanwhile: a swap would then take back
 * what was acknowledged. What lives outside Postgres has no schema to swap, only its checkpoint.
 */
export const promoteSlot = async (pool: Pool, projection: string, { schemas = true } = {}): Promise<boolean> => {
  const next = nextSlotName(projection);
  const old = `${projection}_old`;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table cairn.projections in exclusive mode');
    const { rows } = await client.query<{ behind: boolean }>(
      `select n.position < l.position as behind from cairn.projections n, cairn.projections l
       where n.name = $1 and l.name = $2`,
      [next, projection],
    );
    if (rows[0]?.behind !== false) {
      await client.query('rollback');
      return false;
    }
    if (schemas) {
      await client.query(`alter schema ${projection} rename to ${old}`);
      await client.query(`alter schema ${next} rename to ${projection}`);
      await client.query(`drop schema ${old} cascade`);
    }
    await client.query('delete from cairn.projections where name = $1', [projection]);
    await client.query('update cairn.projections set name = $1 where name = $2', [projection, next]);
    await client.query('commit');
    return true;
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined);
    throw thrown;
  } finally {
    client.release();
  }
};

/** Forgets a version, so that the next start builds it anew from the log. */
export const dropSlot = async (pool: Pool, name: string): Promise<void> => {
  await pool.query('delete from cairn.projections where name = $1', [name]);
  await pool.query(`drop schema if exists ${name} cascade`);
};

/** True when the slot has tables in Postgres. */
export const hasTables = async (pool: Pool, name: string): Promise<boolean> => {
  const { rows } = await pool.query('select 1 from pg_namespace where nspname = $1', [name]);
  return rows.length > 0;
};
