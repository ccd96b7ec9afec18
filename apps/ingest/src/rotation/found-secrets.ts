import { databaseError } from '@cairn/persistence';
import type { InstanceSecrets, Vault } from '@cairn/vault';
import type { Pool } from 'pg';

/** One message of the broker holds them all; a workspace that is left out only takes repeats of old commands for new ones. */
const WORKSPACES_MAX = 4_000;

/** Asked when the library is as far as the log: an installation without workspaces is a new one. */
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
