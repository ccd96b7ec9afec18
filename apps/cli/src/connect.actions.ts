import { blockLines, CLIENT_TEMPLATES, clientBlocks, type ClientBlock } from '@cairn/contracts';
import { loadConfig } from '@cairn/kernel';
import { printReport, type CommandContext } from './command-context.js';
import { EXIT, UsageError } from './exit.js';
import { gatewayEnv } from './gateway-env.js';
import { agentToken, gatewayUrl } from './rest/rest-address.js';

export interface ConnectOptions {
  readonly url?: string;
  readonly token?: string;
  readonly json?: boolean;
}

/** Rejects an unknown client before anything else happens. */
export const checkClient = (id: string): void => {
  if (CLIENT_TEMPLATES.some((client) => client.id === id)) return;
  const ids = CLIENT_TEMPLATES.map((client) => client.id).join(', ');
  throw new UsageError(`there is no client ${JSON.stringify(id)}; the clients are ${ids}`);
};

export const blockFor = (id: string, url: string, token: string): ClientBlock =>
  clientBlocks({ mcpUrl: `${url}/mcp`, token }).find((block) => block.id === id)!;

const listClients = (context: CommandContext, asJson: boolean | undefined): void => {
  const clients = CLIENT_TEMPLATES.map(({ id, name }) => ({ id, name }));
  const width = Math.max(...clients.map(({ id }) => id.length));
  const lines = clients.map(({ id, name }) => `${id.padEnd(width)}  ${name}`);
  printReport(context, asJson, { clients }, [...lines, '', '`cairn connect <client>` prints what to paste.']);
};

const printBlock = (context: CommandContext, client: string, options: ConnectOptions): void => {
  checkClient(client);
  const env = loadConfig(gatewayEnv, context.env);
  const block = blockFor(client, gatewayUrl(env, options), options.token ?? agentToken(env));
  printReport(context, options.json, block, blockLines(block));
};

export const connectAction = (context: CommandContext, client: string | undefined, options: ConnectOptions): void => {
  if (client === undefined) listClients(context, options.json);
  else printBlock(context, client, options);
  context.exit(EXIT.ok);
};
