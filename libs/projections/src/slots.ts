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

/** What lives outside Postgres has no schema to swap, only its checkpoint. Readers see the old version up to the commit and the new one after it; whoever still writes the old one is fenced. */
export const promoteSlot = async (pool: Pool, projection: string, { schemas = true } = {}): Promise<void> => {
  const next = nextSlotName(projection);
  const old = `${projection}_old`;
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query('lock table cairn.projections in exclusive mode');
    if (schemas) {
      await client.query(`alter schema ${projection} rename to ${old}`);
      await client.query(`alter schema ${next} rename to ${projection}`);
      await client.query(`drop schema ${old} cascade`);
    }
    await client.query('delete from cairn.projections where name = $1', [projection]);
    await client.query('update cairn.projections set name = $1 where name = $2', [projection, next]);
    await client.query('commit');
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined);
    throw thrown;
  } finally {
    client.release();
  }
};
