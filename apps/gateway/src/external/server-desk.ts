import { EXTERNAL_DISCOVERY_MS_MAX, fail, type RegisteredServer, type ToolPin } from '@cairn/contracts';
import type { RestCall } from '../rest/rest-request.js';
import { serverView, toolView, type ServerAnswer, type ServerToolAnswer } from './server-view.js';
import type { SeenServer, ToolCatalogue } from './tool-catalogue.js';
import { pinsOf } from './tool-state.js';

/** The view and the actions of a workspace's admins on its external servers. */
export class ServerDesk {
  constructor(
    private readonly catalogue: ToolCatalogue,
    /** Throws for an address that is not allowed. */
    readonly checkUrl: (url: string) => void,
  ) {}

  /** The server as the log has it; not found unless the caller may see it. */
  async registered({ cairn }: RestCall, serverId: string): Promise<RegisteredServer> {
    const { items } = await cairn.query('servers.list', { serverId });
    return items[0]!;
  }

  async all({ cairn, principal }: RestCall): Promise<ServerAnswer[]> {
    const { items } = await cairn.query('servers.list', {});
    const seen = await this.catalogue.seen(principal.workspaceId);
    return items.map((server) => serverView(server, seenOf(seen, server.id)));
  }

  async one(call: RestCall, serverId: string): Promise<ServerAnswer> {
    const server = await this.registered(call, serverId);
    return serverView(server, await this.seen(call, serverId));
  }

  async tools(call: RestCall, serverId: string): Promise<ServerToolAnswer[]> {
    await this.registered(call, serverId);
    return ((await this.seen(call, serverId))?.tools ?? []).map(toolView);
  }

  async refresh(call: RestCall, serverId: string): Promise<ServerAnswer> {
    const server = await this.registered(call, serverId);
    await this.catalogue.idle(serverId);
    this.catalogue.stale(serverId);
    return serverView(server, await this.seen(call, serverId, EXTERNAL_DISCOVERY_MS_MAX));
  }

  /** The definitions of the last finished discovery. The server is not queried: no one has read a newer answer. */
  async pins(call: RestCall, serverId: string): Promise<ToolPin[]> {
    await this.registered(call, serverId);
    const seen = await this.catalogue.lastSeen(call.principal.workspaceId, serverId);
    if (seen?.error)
      throw fail(
        'server.unavailable',
        'this replica has not listed the tools of the server yet; list them first, or send their hashes',
      );
    return pinsOf((seen?.tools ?? []).map(({ tool }) => tool));
  }

  /** The result of a change; this gateway does not wait for its notice. */
  async changed(call: RestCall, serverId: string): Promise<ServerAnswer> {
    this.catalogue.invalidate(call.principal.workspaceId);
    return this.one(call, serverId);
  }

  removed({ principal }: RestCall, serverId: string): void {
    this.catalogue.invalidate(principal.workspaceId);
    this.catalogue.ended(serverId);
  }

  private async seen({ principal }: RestCall, serverId: string, waitMs?: number): Promise<SeenServer | undefined> {
    return seenOf(await this.catalogue.seen(principal.workspaceId, waitMs), serverId);
  }
}

const seenOf = (seen: readonly SeenServer[], serverId: string): SeenServer | undefined =>
  seen.find(({ server }) => server.id === serverId);
