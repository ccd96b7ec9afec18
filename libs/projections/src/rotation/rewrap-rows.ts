import { setTimeout as delay } from 'node:timers/promises';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { Projection } from '../projection.js';
import { nextSlotName, slotsWithTables } from '../slots.js';
import type { WrappedKeys } from './wrapped-keys.js';

/** Small, so that neither a row nor the embedded database is kept from others for long. */
const BATCH = 200;
const PAUSE_MS = 5;
/** Smaller than any other. */
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

interface Row {
  readonly id: string;
  readonly workspace_id: string;
  readonly wrapped_key: Buffer;
}

interface Change {
  readonly id: string;
  readonly old: Buffer;
  readonly anew: Buffer;
}

/** What one look at everything has found. */
export interface RewrapCounts {
  /** Not under the current KEK, and wrapped anew unless somebody else had it at that moment. */
  outdated: number;
  /** Open with none of the KEKs that are given. */
  unreadable: number;
}

export interface RewrapRowsOptions {
  readonly pool: Pool;
  readonly vault: Pick<Vault, 'rewrap'>;
  readonly counts: RewrapCounts;
  readonly isStopping: () => boolean;
}

/** Whoever holds a row now changes it first, and it is found again by the next look: this never waits for a lock. */
const updateSql = (schema: string, { table, id }: WrappedKeys): string => `
  with given as (select * from unnest($1::uuid[], $2::bytea[], $3::bytea[]) as x(id, old, anew)),
  free as (
    select t.${id} as id from ${schema}.${table} t join given on given.id = t.${id} and given.old = t.wrapped_key
    for update of t skip locked
  )
  update ${schema}.${table} t set wrapped_key = given.anew from given join free using (id) where t.${id} = given.id`;

const changesOf = (rows: readonly Row[], { vault, counts }: RewrapRowsOptions): Change[] =>
  rows.flatMap(({ id, workspace_id: workspaceId, wrapped_key: old }) => {
    try {
      const anew = vault.rewrap(workspaceId, id, old);
      return anew ? [{ id, old, anew }] : [];
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
      const columns = [changes.map(({ id }) => id), changes.map(({ old }) => old), changes.map(({ anew }) => anew)];
      await pool.query(updateSql(schema, keys), columns);
    }
    if (rows.length < BATCH) return;
    from = rows.at(-1)!.id;
    await delay(PAUSE_MS);
  }
};

/**
 * Wraps every key that a projection stores beside a row by the current KEK. A version that is being built comes first: if it is
 * swapped with the live one meanwhile, it has been seen by then, or is seen as the live one.
 */
export const rewrapRows = async ({ name, wrappedKeys }: Projection, options: RewrapRowsOptions): Promise<void> => {
  if (wrappedKeys === 'nothing') return;
  for (const schema of await slotsWithTables(options.pool, [nextSlotName(name), name]))
    for (const keys of wrappedKeys) await rewrapTable(schema, keys, options);
};
