import { systemPrincipal } from '@cairn/contracts';
import { ExternalServers } from '@cairn/external-mcp';
import { uuidV7, type Clock } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import type { CairnClient } from '../cairn/cairn-client.js';
import { ExternalTools } from './external-tools.js';
import { followNotices } from './follow-notices.js';
import { ServerDesk } from './server-desk.js';
import { serverUrlCheck, type OwnAddress } from './server-url.js';
import { ToolCatalogue } from './tool-catalogue.js';

export interface ExternalParts {
  readonly nats: NatsConnection;
  readonly cairn: CairnClient;
  readonly localOrigins: readonly string[];
  readonly ownAddress: () => OwnAddress | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

export interface External {
  readonly servers: ExternalServers;
  readonly tools: ExternalTools;
  readonly desk: ServerDesk;
}

/** Everything that concerns external servers in one gateway. */
export const openExternal = (parts: ExternalParts): External => {
  const { nats, cairn, localOrigins, ownAddress, clock, logger, metrics } = parts;
  /** Credentials are opened, and first discoveries pinned, on behalf of the installation: no token may do either. */
  const asSystem = (workspaceId: string): CairnPort =>
    cairn.as({ principal: systemPrincipal(workspaceId), rateLimitPerHour: null, correlationId: uuidV7() });
  const checkUrl = serverUrlCheck(localOrigins, ownAddress);
  const servers = new ExternalServers({ localOrigins, clock, onListChanged: (serverId) => catalogue.stale(serverId) });
  const catalogue: ToolCatalogue = new ToolCatalogue({
    external: servers,
    open: async (workspaceId) => (await asSystem(workspaceId).query('servers.open', {})).items,
    pin: (workspaceId, serverId, tools) => asSystem(workspaceId).command('server.pin', { serverId, tools: [...tools] }),
    checkUrl,
    clock,
    logger,
    metrics,
  });
  followNotices(nats, (workspaceId, serverId, type) => {
    if (type === 'server.removed') catalogue.ended(serverId);
    catalogue.changed(workspaceId, serverId);
  });
  return {
    servers,
    tools: new ExternalTools(catalogue, servers, metrics),
    desk: new ServerDesk(catalogue, checkUrl),
  };
};
