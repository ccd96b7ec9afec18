import { setTimeout as delay } from 'node:timers/promises';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { orDrop, versionsOfOthers } from '../erasure/versions-beside.js';
import type { Projection } from '../projection.js';
import { nextSlotName, slotsWithTables } from '../slots.js';
import type { WrappedKeys } from './wrapped-keys.js';

/** Small, so that neither a row nor the embedded database is blocked for long. */
const BATCH = 200;
const PAUSE_MS = 5;
/** Smaller than any other id. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly wrapped_key: Buffer;
}

interface Change {
  readonly id: string;
  readonly old: Buffer;
  readonly rewrapped: Buffer;
}

/** The result of one pass over all keys. */
export interface RewrapCounts {
  /** Keys that were not under the current KEK; each is rewrapped unless its row was locked. */
  outdated: number;
  /** Keys that open with none of the given KEKs. */
  unreadable: number;
}

export interface RewrapRowsOptions {
  readonly pool: Pool;
  readonly vault: Pick<Vault, 'rewrap'>;
  readonly counts: RewrapCounts;
  readonly isStopping: () => boolean;
}

/** Skips locked rows, so it never waits for a lock; the next pass finds them again. */
const updateSql = (schema: string, { table, id }: WrappedKeys): string => `
  with given as (select * from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as x(id, old, rewrapped)),
  free as (
    select t.${id} as id from ${schema}.${table} t join given on given.id = t.${id} and given.old = t.wrapped_key
    for update of t skip locked
  )
  update ${schema}.${table} t set wrapped_key = given.rewrapped from given join free using (id) where t.${id} = given.id`;

const changesOf = (rows: readonly Row[], { vault, counts }: RewrapRowsOptions): Change[] =>
  rows.flatMap(({ id, workspace_id: workspaceId, wrapped_key: old }) => {
    try {
      const rewrapped = vault.rewrap(workspaceId, id, old);
      return rewrapped ? [{ id, old, rewrapped }] : [];
    } catch {
      counts.unreadable++;
      return [];
    }
  });

const rewrapTable = async (schema: string, keys: WrappedKeys, options: RewrapRowsOptions): Promise<void> => {
  const { pool, counts, isStopping } = options;
  for (let from = FIRST_ID; !isStopping();) {
    const { rows } = await pool.query<Row>(keys.rows(schema), [from, BATCH]);
    const changes = changesOf(rows, options);
    if (changes.length > 0) {
      counts.outdated += changes.length;
      const columns = [
        changes.map(({ id }) => id),
        changes.map(({ old }) => old),
        changes.map(({ rewrapped }) => rewrapped),
      ];
      await pool.query(updateSql(schema, keys), columns);
    }
    if (rows.length < BATCH) return;
    from = rows.at(-1)!.id;
    await delay(PAUSE_MS);
  }
};

/**
 * Wraps every key that a projection stores next to a row with the current KEK. Versions that are not live come
 * first: if it is swapped with the live one meanwhile, it is already done, or is processed as the live one.
 */
export const rewrapRows = async (projection: Projection, options: RewrapRowsOptions): Promise<void> => {
  const { name, wrappedKeys } = projection;
  const { pool } = options;
  if (wrappedKeys === 'nothing') return;
  const rewrap = async (schema: string): Promise<void> => {
    for (const keys of wrappedKeys) await rewrapTable(schema, keys, options);
  };
  for (const version of await versionsOfOthers(pool, name)) await orDrop(pool, version, () => rewrap(version));
  for (const schema of await slotsWithTables(pool, [nextSlotName(name), name])) await rewrap(schema);
};
