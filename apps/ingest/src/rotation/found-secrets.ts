import { databaseError } from '@cairn/persistence';
import type { InstanceSecrets, Vault } from '@cairn/vault';
import type { Pool } from 'pg';

/**
 * One message of the broker holds them all. For a workspace that is left out, repeats of old commands are taken for new
 * ones.
 */
const WORKSPACES_MAX = 4_000;

/** Checked when the library has caught up with the log: an installation without workspaces is a new one. */
export const foundSecrets = async (vault: Vault, pool: Pool): Promise<InstanceSecrets> => {
  try {
    const { rows } = await pool.query<{ id: string }>(
      'select id from library.workspaces order by created_at desc limit $1',
      [WORKSPACES_MAX],
    );
    return await vault.foundSecrets(rows.map(({ id }) => id));
  } catch (thrown) {
    throw databaseError(thrown);
  }
};
