import { notFound } from '@cairn/access';
import { fail, shownServerUrl, SYSTEM_TOKEN_ID, type LoggedCommandType, type ServerSecrets } from '@cairn/contracts';
import {
  changedSecrets,
  decideConfigureServer,
  decidePinServer,
  decideRegisterServer,
  decideRemoveServer,
  type ServerState,
} from '@cairn/domain';
import type { QueryContext } from './cairn-answer.fake.js';
import type { Answers } from './cairn-queries.fake.js';
import { at, plain, type Prepare } from './cairn-prepare.fake.js';

type ServerCommand = Extract<LoggedCommandType, `server.${string}`>;

const secretsOf = ({ sealed }: ServerState): ServerSecrets => JSON.parse(sealed) as ServerSecrets;

const configure: Prepare<'server.configure'> = (request) => {
  const { url, credential, ...command } = request.data;
  const reseal = (server: ServerState) => {
    if (url === undefined && credential === undefined) return undefined;
    const now = secretsOf(server);
    const next = changedSecrets(now, { url, credential });
    return { sealed: JSON.stringify(next), isElsewhere: next.url !== now.url };
  };
  return {
    decide: (state, atMs) => decideConfigureServer(state, at(request, { command, reseal }, atMs)),
    answer: ({ entityId: serverId }, position) => ({ serverId, position }),
  };
};

export const SERVER_COMMANDS: { readonly [T in ServerCommand]: Prepare<T> } = {
  'server.register': (request) => {
    const { url, credential, ...command } = request.data;
    const data = { command, sealed: JSON.stringify({ url, credential }) };
    return {
      decide: (state, atMs) => decideRegisterServer(state, at(request, data, atMs)),
      answer: ({ entityId: serverId }, position) => ({ serverId, position }),
    };
  },
  'server.configure': configure,
  'server.remove': plain(decideRemoveServer, (serverId, position) => ({ serverId, position })),
  'server.pin': plain(decidePinServer, (serverId, position) => ({ serverId, position })),
};

const opened = ({ workspace }: QueryContext) =>
  [...workspace.state.servers.values()].map((server) => {
    const { sealed: _, tools: pins, ...shown } = server;
    return { ...shown, pins, secrets: secretsOf(server) };
  });

export const SERVER_ANSWERS: Pick<Answers, 'servers.list' | 'servers.open'> = {
  'servers.list': (context, { serverId }) => {
    const servers = opened(context).filter(({ id }) => serverId === undefined || id === serverId);
    if (serverId !== undefined && servers.length === 0) throw notFound('server');
    return { items: servers.map(({ secrets, ...server }) => ({ ...server, url: shownServerUrl(secrets.url) })) };
  },
  'servers.open': (context) => {
    if (context.principal.tokenId !== SYSTEM_TOKEN_ID) throw fail('scope.missing', 'only Cairn itself opens servers');
    return { items: opened(context) };
  },
};
