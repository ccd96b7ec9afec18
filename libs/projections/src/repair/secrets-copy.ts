import type { KeyRecord, Vault } from '@cairn/vault';
import type { Pool } from 'pg';

const NAME = 'instance';

/**
 * Copies the wrapped secrets of the installation to the database. Unlike the keys of items, no row has them: without this
 * copy, the loss of the broker would replace the key that signs receipts and change the ids of all entities.
 */
export const keepSecretsCopy = async (pool: Pool, vault: Pick<Vault, 'wrappedSecrets'>): Promise<void> => {
  await pool.query(
    `insert into cairn.secrets (name, record) values ($1, $2) on conflict (name) do update set record = excluded.record`,
    [NAME, JSON.stringify(await vault.wrappedSecrets())],
  );
};

/** Undefined if no start of Cairn has made a copy yet. */
export const readSecretsCopy = async (pool: Pool): Promise<KeyRecord | undefined> => {
  const { rows } = await pool.query<{ record: KeyRecord }>('select record from cairn.secrets where name = $1', [NAME]);
  return rows[0]?.record;
};
