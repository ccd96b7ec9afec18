import type { Op } from '@cairn/contracts';
import type { Vault } from '@cairn/vault';
import type { StatementSink } from '../projection.js';

type Requested = Extract<Op, { type: 'confirmation.requested' }>;
type Discarded = Extract<Op, { type: 'confirmation.discarded' }>;
type Restored = Extract<Op, { type: 'confirmation.restored' }>;
type Resolved = Extract<Op, { type: 'confirmation.resolved' }>;

/**
 * The wrapped keys of the confirmations that a batch requests, by confirmation id, without those that are already
 * resolved.
 */
export const keysOfConfirmations = async (
  vault: Vault,
  ops: readonly Op[],
): Promise<ReadonlyMap<string, Buffer | null>> => {
  const requests = ops.filter((op): op is Requested => op.type === 'confirmation.requested');
  const keys = requests.map(async ({ workspace, data: { confirmationId } }) => {
    const found = await vault.find(workspace, confirmationId);
    return [confirmationId, found ? Buffer.from(found.wrapped.item, 'base64') : null] as const;
  });
  return new Map(await Promise.all(keys));
};

export const confirmationRequested = (
  db: StatementSink,
  schema: string,
  { workspace, position, at, data }: Requested,
  key: Buffer | null,
): void => {
  const { confirmationId, agentId, reason, kind, payloadHash, sealed, expiresAt } = data;
  void db.query(
    `insert into ${schema}.confirmations (id, workspace_id, agent_id, reason, kind, payload_hash, sealed, wrapped_key,
       expires_at, position, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) on conflict do nothing`,
    [
      confirmationId,
      workspace,
      agentId,
      reason,
      kind,
      payloadHash,
      Buffer.from(sealed, 'base64'),
      key,
      expiresAt,
      position,
      at,
    ],
  );
};

/** Sets the time until which a text can be restored; null once it is restored. */
export const confirmationDiscarded = (db: StatementSink, schema: string, op: Discarded | Restored): void => {
  const restorableUntil = op.type === 'confirmation.discarded' ? op.data.restorableUntil : null;
  void db.query(`update ${schema}.confirmations set restorable_until = $2 where id = $1`, [
    op.data.confirmationId,
    restorableUntil,
  ]);
};

/** Removes the text and its key; the confirmation and its outcome stay. */
export const confirmationResolved = (db: StatementSink, schema: string, { position, data }: Resolved): void => {
  const { confirmationId, folderId, storedItemId } = data;
  void db.query(
    `update ${schema}.confirmations
     set sealed = null, wrapped_key = null, restorable_until = null, folder_id = $2, item_id = $3, resolved_position = $4
     where id = $1`,
    [confirmationId, folderId, storedItemId, position],
  );
};
