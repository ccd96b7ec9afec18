import type { Op } from '@cairn/contracts';
import type { Vault } from '@cairn/vault';
import type { StatementSink } from '../projection.js';

type Registered = Extract<Op, { type: 'server.registered' }>;
type Configured = Extract<Op, { type: 'server.configured' }>;
type Removed = Extract<Op, { type: 'server.removed' }>;

/** The wrapped keys of the servers that a batch registers, by server id, without servers that were removed since. */
export const keysOfServers = async (vault: Vault, ops: readonly Op[]): Promise<ReadonlyMap<string, Buffer | null>> => {
  const registrations = ops.filter((op): op is Registered => op.type === 'server.registered');
  const keys = registrations.map(async ({ workspace, data: { serverId } }) => {
    const found = await vault.livingKeys(workspace, serverId);
    return [serverId, found ? Buffer.from(found.wrapped.item, 'base64') : null] as const;
  });
  return new Map(await Promise.all(keys));
};

export const serverRegistered = (
  db: StatementSink,
  schema: string,
  { workspace, position, data }: Registered,
  key: Buffer | null,
): void => {
  const { serverId, name, transport, enabled, approval, tools, sealed } = data;
  void db.query(
    `insert into ${schema}.external_mcp_servers
       (id, workspace_id, name, transport, enabled, approval, tools, sealed, wrapped_key, position)
     values ($1, $2, $3, $4, $5, $6, $7::jsonb, $8, $9, $10) on conflict do nothing`,
    [
      serverId,
      workspace,
      name,
      transport,
      enabled,
      approval,
      JSON.stringify(tools),
      Buffer.from(sealed, 'base64'),
      key,
      position,
    ],
  );
};

export const serverConfigured = (db: StatementSink, schema: string, { data }: Configured): void => {
  const { serverId, name = null, transport = null, enabled = null, approval = null, tools, sealed } = data;
  void db.query(
    `update ${schema}.external_mcp_servers
     set name = coalesce($2, name), transport = coalesce($3, transport), enabled = coalesce($4::boolean, enabled),
       approval = coalesce($5, approval), tools = coalesce($6::jsonb, tools), sealed = coalesce($7::bytea, sealed)
     where id = $1`,
    [
      serverId,
      name,
      transport,
      enabled,
      approval,
      tools ? JSON.stringify(tools) : null,
      sealed === undefined ? null : Buffer.from(sealed, 'base64'),
    ],
  );
};

/**
 * Removes the address, the credential and their key; the row stays until the key is known to be destroyed, and after
 * that.
 */
export const serverRemoved = (db: StatementSink, schema: string, { position, data }: Removed): void => {
  void db.query(
    `update ${schema}.external_mcp_servers
     set sealed = null, wrapped_key = null, tools = '[]'::jsonb, enabled = false, removed_position = $2 where id = $1`,
    [data.serverId, position],
  );
};
