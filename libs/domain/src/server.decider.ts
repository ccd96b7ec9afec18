import { notFound } from '@cairn/access';
import {
  fail,
  SERVER_TOOLS_MAX,
  SERVERS_PER_WORKSPACE_MAX,
  shownServerUrl,
  SYSTEM_TOKEN_ID,
  type CommandData,
  type EventData,
  type ServerSecrets,
  type ToolPin,
} from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import type { ServerState, WorkspaceState } from './state.js';

/** The decider's view of a `RegisterServer`: address and credential are sealed. */
export interface RegisteringServer {
  readonly command: Omit<CommandData<'server.register'>, 'url' | 'credential'>;
  readonly sealed: string;
}

/** The address and the credential after a change. */
export interface ResealedServer {
  readonly sealed: string;
  /** A new address means a different server: approvals of the old one do not carry over. */
  readonly isElsewhere: boolean;
}

export interface ConfiguringServer {
  readonly command: Omit<CommandData<'server.configure'>, 'url' | 'credential'>;
  /** The holder of the key applies the change to the sealed values; undefined if neither changes. */
  readonly reseal: (server: ServerState) => ResealedServer | undefined;
}

const serverOf = ({ servers }: WorkspaceState, id: string): ServerState => {
  const server = servers.get(id);
  if (!server) throw notFound('server');
  return server;
};

const checkName = ({ servers }: WorkspaceState, name: string, ownId?: string): void => {
  for (const server of servers.values())
    if (server.name === name && server.id !== ownId)
      throw fail('server.name_taken', `a server with the name "${name}" exists`, { field: 'name' });
};

export const decideRegisterServer = (
  state: WorkspaceState,
  { data: { command, sealed } }: Decidable<RegisteringServer>,
): Decision => {
  if (state.servers.has(command.serverId)) return alreadyDone(command.serverId);
  checkName(state, command.name);
  if (state.servers.size >= SERVERS_PER_WORKSPACE_MAX) {
    const message = `a workspace has at most ${SERVERS_PER_WORKSPACE_MAX} external servers; remove one first`;
    throw fail('server.too_many', message, { limit: SERVERS_PER_WORKSPACE_MAX });
  }
  return decided(command.serverId, { type: 'server.registered', data: { ...command, tools: [], sealed } });
};

/**
 * Addresses are shown with masked parameters. If the shown address is sent back, the stored one is kept. A credential is
 * never carried to another origin: a caller that changes the address could read it there.
 */
export const changedSecrets = (
  now: ServerSecrets,
  { url: given, credential: replaced }: Pick<CommandData<'server.configure'>, 'url' | 'credential'>,
): ServerSecrets => {
  const url = given === undefined || given === shownServerUrl(now.url) ? now.url : given;
  if (now.credential && replaced === undefined && new URL(url).origin !== new URL(now.url).origin) {
    const message = 'credential must be given again, or be null, when url leads to another origin';
    throw fail('input.invalid', message, { field: 'credential' });
  }
  const credential = replaced === undefined ? now.credential : replaced;
  return { url, ...(credential && { credential }) };
};

/** New pins go last; if there is no room for all, the oldest approvals are dropped. */
const withApproved = (pins: readonly ToolPin[], approved: readonly ToolPin[]): ToolPin[] => {
  const byName = new Map([...pins, ...approved].map((pin) => [pin.name, pin]));
  return [...byName.values()].slice(-SERVER_TOOLS_MAX);
};

const samePins = (a: readonly ToolPin[], b: readonly ToolPin[]): boolean =>
  a.length === b.length && a.every(({ name, hash }, i) => name === b[i]?.name && hash === b[i].hash);

type Changes = Omit<EventData<'server.configured'>, 'serverId'>;

const changesOf = (server: ServerState, { command, reseal }: ConfiguringServer): Changes => {
  const { name, transport, enabled, approval, approve } = command;
  const resealed = reseal(server);
  const tools = resealed?.isElsewhere ? [] : withApproved(server.tools, approve ?? []);
  return {
    ...(name !== undefined && name !== server.name && { name }),
    ...(transport !== undefined && transport !== server.transport && { transport }),
    ...(enabled !== undefined && enabled !== server.enabled && { enabled }),
    ...(approval !== undefined && approval !== server.approval && { approval }),
    ...(resealed && { sealed: resealed.sealed }),
    ...(!samePins(tools, server.tools) && { tools }),
  };
};

export const decideConfigureServer = (state: WorkspaceState, { data }: Decidable<ConfiguringServer>): Decision => {
  const { serverId, name } = data.command;
  const server = serverOf(state, serverId);
  if (name !== undefined) checkName(state, name, serverId);
  const changes = changesOf(server, data);
  if (Object.keys(changes).length === 0) return alreadyDone(serverId);
  return decided(serverId, { type: 'server.configured', data: { serverId, ...changes } });
};

export const decideRemoveServer = (
  state: WorkspaceState,
  { data: { serverId } }: Decidable<CommandData<'server.remove'>>,
): Decision => {
  serverOf(state, serverId);
  return decided(serverId, { type: 'server.removed', data: { serverId } });
};

/** Only the installation pins, and only for a server that trusts its first use and has no pins: the first pin stays. */
export const decidePinServer = (
  state: WorkspaceState,
  { data: { serverId, tools }, principal }: Decidable<CommandData<'server.pin'>>,
): Decision => {
  if (principal.tokenId !== SYSTEM_TOKEN_ID) throw fail('scope.missing', 'only Cairn itself pins a first discovery');
  const server = serverOf(state, serverId);
  if (server.tools.length > 0 || server.approval !== 'first-use') return alreadyDone(serverId);
  return decided(serverId, { type: 'server.configured', data: { serverId, tools } });
};
