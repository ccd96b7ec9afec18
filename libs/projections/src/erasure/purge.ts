import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/contracts';
import type { Pool } from 'pg';
import { buildOf, replaceable } from '../builds.js';
import { homeOf } from '../home.js';
import { tableNames, type Projection } from '../projection.js';
import { PROJECTIONS } from '../projections.js';
import { dropSlot } from '../slots.js';
import type { Stores } from '../stores.js';
import { slotsBeside, standingSlots } from './standing-slots.js';
import { tablesBeside, versionsOfOthers } from './versions-beside.js';

/** The tables of all versions that a purge rewrites; not those that the projection rewrites itself. */
const tablesToRewrite = async (pool: Pool, projection: Projection): Promise<string[]> => {
  const { name, purges, rewriteLive } = projection;
  // `vacuum full` would take too long here as well, and a build that needs its version fills it again.
  if (rewriteLive) for (const version of await versionsOfOthers(pool, name)) await dropSlot(pool, version);
  const slots = await (rewriteLive ? slotsBeside : standingSlots)(pool, name);
  const tables = tableNames(projection).filter((table) => purges[table] === 'rewritten');
  return [...slots.flatMap((slot) => tables.map((table) => `${slot}.${table}`)), ...(await tablesBeside(pool, name))];
};

/** A pause between two tables, for clients that wait for one of them. */
const PAUSE_MS = 100;
/** A lock that is not granted would keep every client that queues behind it waiting. */
const LOCK_TIMEOUT = '2s';

/**
 * Deleting leaves the bytes in the table, in its indexes and in the write-ahead log. Rewriting a table drops its old
 * file, and a checkpoint in a new segment releases the old log, which `wal_recycle = off` removes instead of reusing it.
 */
const purgePostgres = async (pool: Pool, signal: AbortSignal): Promise<void> => {
  for (const { rewriteLive } of PROJECTIONS) await rewriteLive?.(pool, signal);
  const tables = await Promise.all(PROJECTIONS.map((projection) => tablesToRewrite(pool, projection)));
  const client = await pool.connect();
  try {
    await client.query(`set lock_timeout = '${LOCK_TIMEOUT}'`);
    for (const table of tables.flat()) {
      await client.query(`vacuum (full) ${table}`);
      await delay(PAUSE_MS, undefined, { signal });
    }
    await client.query('checkpoint');
    await client.query('select pg_switch_wal()');
    await client.query('checkpoint');
    await client.query('checkpoint');
  } finally {
    await client.query('reset lock_timeout').catch(() => undefined);
    client.release();
  }
};

/** Removes the deleted data of every projection from the disk. */
export const purgeProjections = async (stores: Stores, signal: AbortSignal): Promise<void> => {
  // Other engines first, because they fail sooner and cost less: rewriting the vectors first would be wasted if they fail.
  for (const projection of PROJECTIONS) await homeOf(projection, stores).outside?.purge(signal);
  // The live tables would be rewritten in the form of this build.
  if ((await replaceable(stores.pool, buildOf(stores))).length > 0)
    throw fail('projection.unavailable', 'another version of Cairn has replaced the read models of this one');
  await purgePostgres(stores.pool, signal);
};
