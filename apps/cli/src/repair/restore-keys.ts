import { countKeyOwners, keyOwners, readSecretsCopy, type KeyOwner } from '@cairn/projections';
import type { Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import type { Progress } from './progress.js';

export interface RestoredKeys {
  /** Items and other owners whose keys were written again. */
  readonly restored: number;
  /** Owners that are forgotten or have ended: they got the mark that their keys are destroyed. */
  readonly destroyed: number;
  /** `lost` if the database has no copy of them, and the key store neither. */
  readonly secrets: 'restored' | 'present' | 'lost';
}

export interface RestoreKeysOptions {
  readonly pool: Pool;
  readonly vault: Vault;
  readonly onProgress: Progress;
}

const restoreOwner = async (vault: Vault, { id, workspaceId, record, forgottenChunks }: KeyOwner): Promise<boolean> => {
  const isWritten = await vault.restore(workspaceId, id, record);
  // A key store from an earlier backup still has their keys.
  if (!isWritten && record && forgottenChunks.length > 0) await vault.destroyChunks(workspaceId, id, forgottenChunks);
  return isWritten;
};

const restoreSecrets = async ({ pool, vault }: RestoreKeysOptions): Promise<RestoredKeys['secrets']> => {
  if (await vault.findSecrets()) return 'present';
  const copy = await readSecretsCopy(pool);
  if (!copy) return 'lost';
  await vault.restoreSecrets(copy);
  return 'restored';
};

/** Fails if the KEK is not the one that the keys of this database are wrapped by. */
export const checkKek = async (pool: Pool, vault: Vault): Promise<void> => {
  for await (const page of keyOwners(pool)) {
    const owner = page.find(({ record }) => record);
    if (!owner) continue;
    vault.unwrap(owner.workspaceId, owner.id, Buffer.from(owner.record!.item, 'base64'));
    return;
  }
};

/** Writes the key store from the copies beside the rows. What is forgotten gets no key, because no row has one. */
export const restoreKeys = async (options: RestoreKeysOptions): Promise<RestoredKeys> => {
  const { pool, vault, onProgress } = options;
  const total = await countKeyOwners(pool);
  let [done, restored, destroyed] = [0, 0, 0];
  for await (const page of keyOwners(pool)) {
    const written = await Promise.all(page.map((owner) => restoreOwner(vault, owner)));
    for (const [i, { record }] of page.entries()) {
      if (!written[i]) continue;
      if (record) restored++;
      else destroyed++;
    }
    done += page.length;
    onProgress('keys', done, total);
  }
  return { restored, destroyed, secrets: await restoreSecrets(options) };
};
