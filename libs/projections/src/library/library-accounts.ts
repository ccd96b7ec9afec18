import type { Op } from '@cairn/contracts';
import type { Vault } from '@cairn/vault';
import type { OpOf, Update } from './library-updates.js';

/**
 * The wrapped keys of the accounts that a batch connects, by account id, without accounts that were disconnected since.
 */
export const keysOfAccounts = async (vault: Vault, ops: readonly Op[]): Promise<ReadonlyMap<string, Buffer | null>> => {
  const connected = ops.filter((op): op is OpOf<'connector.connected'> => op.type === 'connector.connected');
  const keys = connected.map(async ({ workspace, data: { accountId } }) => {
    const found = await vault.find(workspace, accountId);
    return [accountId, found ? Buffer.from(found.wrapped.item, 'base64') : null] as const;
  });
  return new Map(await Promise.all(keys));
};

export const connectorConnected = (
  update: Update,
  schema: string,
  { workspace, at, data }: OpOf<'connector.connected'>,
  key: Buffer | null,
): void => {
  const { accountId, connectorId, folderId, retention, hydrate, confirm, batchTokensMax, sealed } = data;
  update(
    `insert into ${schema}.accounts (id, workspace_id, connector_id, folder_id, retention, hydrate, confirm,
       batch_tokens_max, sealed, wrapped_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
    [
      accountId,
      workspace,
      connectorId,
      folderId,
      retention,
      hydrate,
      confirm,
      batchTokensMax,
      Buffer.from(sealed, 'base64'),
      key,
      at,
    ],
  );
};

export const connectorConfigured = (update: Update, schema: string, { data }: OpOf<'connector.configured'>): void => {
  const { accountId, folderId, retention, hydrate, confirm, batchTokensMax, sealed } = data;
  update(
    `update ${schema}.accounts set folder_id = coalesce($2, folder_id), retention = coalesce($3, retention),
       hydrate = coalesce($4, hydrate), confirm = coalesce($5, confirm),
       batch_tokens_max = coalesce($6, batch_tokens_max), sealed = coalesce($7, sealed)
     where id = $1 and disconnected_position is null`,
    [
      accountId,
      folderId ?? null,
      retention ?? null,
      hydrate ?? null,
      confirm ?? null,
      batchTokensMax ?? null,
      sealed === undefined ? null : Buffer.from(sealed, 'base64'),
    ],
  );
};

/** Removes the sealed part and its key; the ids stay, so that items of the account still name a source. */
export const connectorDisconnected = (
  update: Update,
  schema: string,
  { position, data }: OpOf<'connector.disconnected'>,
): void =>
  update(`update ${schema}.accounts set sealed = null, wrapped_key = null, disconnected_position = $2 where id = $1`, [
    data.accountId,
    position,
  ]);
