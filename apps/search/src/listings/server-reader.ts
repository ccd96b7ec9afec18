import { notFound } from '@cairn/access';
import {
  fail,
  shownServerUrl,
  type OpenedServer,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type RegisteredServer,
} from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import type { KeyOpener } from '@cairn/retrieval';
import { openServerSecrets } from '@cairn/vault';
import type { Pool } from 'pg';

interface ServerRow extends Omit<RegisteredServer, 'url'> {
  readonly sealed: Buffer;
  readonly wrappedKey: Buffer | null;
}

const LIST_SERVERS = `
select id, name, transport, enabled, approval, tools as pins, sealed, wrapped_key as "wrappedKey"
  from library.external_mcp_servers
  where workspace_id = $1 and removed_position is null and ($2::uuid is null or id = $2)
  order by id`;

/** The external MCP servers of a workspace: without secrets for its admins, with them for the gateway. */
export class ServerReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: KeyOpener,
  ) {}

  async list(
    { workspaceId }: Principal,
    { serverId }: QueryData<'servers.list'>,
  ): Promise<QueryAnswer<'servers.list'>> {
    const servers = await this.read(workspaceId, serverId);
    if (serverId !== undefined && servers.length === 0) throw notFound('server');
    return { items: servers.map(({ secrets, ...server }) => ({ ...server, url: shownServerUrl(secrets.url) })) };
  }

  async open({ workspaceId }: Principal): Promise<QueryAnswer<'servers.open'>> {
    return { items: await this.read(workspaceId) };
  }

  private async read(workspaceId: string, serverId?: string): Promise<OpenedServer[]> {
    const rows = await readRows<ServerRow>(this.pool, LIST_SERVERS, [workspaceId, serverId ?? null]);
    return rows.map(({ sealed, wrappedKey, ...server }) => {
      if (!wrappedKey) throw fail('key.unavailable', 'the key of an external server is missing');
      const key = this.vault.unwrap(workspaceId, server.id, wrappedKey);
      return { ...server, secrets: openServerSecrets(key, workspaceId, server.id, sealed) };
    });
  }
}
