import type { DomainEvent, ServerApproval, ServerTransport, ToolPin } from '@cairn/contracts';

/** An external MCP server of the workspace. All servers of a workspace are loaded together: their number is bounded. */
export interface ServerState {
  readonly id: string;
  readonly name: string;
  readonly transport: ServerTransport;
  readonly enabled: boolean;
  readonly approval: ServerApproval;
  readonly tools: readonly ToolPin[];
  readonly sealed: string;
}

type ServerEvent = Extract<DomainEvent, { type: 'server.registered' | 'server.configured' | 'server.removed' }>;
export type Servers = ReadonlyMap<string, ServerState>;

export const evolveServers = (servers: Servers, event: ServerEvent): Servers => {
  const { serverId: id } = event.data;
  const next = new Map(servers);
  if (event.type === 'server.registered') {
    const { serverId: _, ...server } = event.data;
    return next.set(id, { id, ...server });
  }
  if (event.type === 'server.removed') {
    next.delete(id);
    return next;
  }
  const server = servers.get(id);
  const { serverId: _, ...changes } = event.data;
  return server ? next.set(id, { ...server, ...changes } as ServerState) : servers;
};
