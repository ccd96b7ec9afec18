import { randomUUID } from 'node:crypto';
import { blockLines, type TokenView } from '@cairn/contracts';
import { printReport, type CommandContext } from '../command-context.js';
import { blockFor, checkClient } from '../connect.actions.js';
import { EXIT, UsageError } from '../exit.js';
import { adminClient, type GatewayOptions } from '../rest/admin-client.js';
import { folderIdsOf } from '../rest/folder-id.js';
import { issuedLines, tokenLine, type IssuedToken } from './tokens-output.js';

export interface IssueOptions extends GatewayOptions {
  readonly scopes: string;
  readonly folders?: string;
  readonly unscoped?: boolean;
  readonly agent?: string;
  readonly kbOnly?: boolean;
  readonly toolsets?: string;
  readonly rate?: string;
  readonly restRate?: string;
  readonly expires?: string;
  readonly client?: string;
}

const listed = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

const rateOf = (rate: string, option: string, counted: string): number | null => {
  if (rate === 'none') return null;
  if (/^\d{1,9}$/.test(rate)) return Number(rate);
  throw new UsageError(`${option} takes a number of ${counted} per hour, or none`);
};

const limitsOf = ({ rate, restRate }: IssueOptions) => ({
  ...(rate !== undefined && { rateLimitPerHour: rateOf(rate, '--rate', 'calls') }),
  ...(restRate !== undefined && { restLimitPerHour: rateOf(restRate, '--rest-rate', 'REST requests') }),
});

/** A token that sees nothing is useless; an admin token sees everything without either option. */
const checkReach = ({ folders, unscoped }: IssueOptions, scopes: readonly string[]): void => {
  if (folders !== undefined && unscoped) throw new UsageError('give --folders or --unscoped, not both');
  if (folders === undefined && !unscoped && !scopes.includes('admin'))
    throw new UsageError('give --folders or --unscoped: a token with neither sees nothing');
};

/** Nothing follows the secret unless a client is named, because scripts read the last line. */
const connectLines = (client: string | undefined, url: string, token: string): string[] =>
  client === undefined ? [] : ['', ...blockLines(blockFor(client, url, token))];

export const issueAction = async (context: CommandContext, name: string, options: IssueOptions): Promise<void> => {
  const { folders, unscoped, agent, kbOnly, toolsets, expires } = options;
  const scopes = listed(options.scopes);
  checkReach(options, scopes);
  if (options.client !== undefined) checkClient(options.client);
  const limits = limitsOf(options);
  const { client, url } = await adminClient(context, options);
  const body = {
    name,
    scopes,
    ...limits,
    ...(unscoped && { isUnscoped: true }),
    ...(folders !== undefined && { folderIds: await folderIdsOf(client, listed(folders)) }),
    ...(agent !== undefined && { agentId: agent }),
    ...(kbOnly && { kbOnly }),
    ...(toolsets !== undefined && { toolsets: listed(toolsets) }),
    ...(expires !== undefined && { expiresAt: expires }),
  };
  const issued = await client.postJson<IssuedToken>('/tokens', body, randomUUID());
  printReport(context, options.json, issued, [
    ...issuedLines(issued, folders === undefined ? [] : listed(folders)),
    ...connectLines(options.client, url, issued.token),
  ]);
  context.exit(EXIT.ok);
};

export const listAction = async (context: CommandContext, options: GatewayOptions): Promise<void> => {
  const tokens = await (await adminClient(context, options)).client.list<TokenView>('/tokens');
  printReport(context, options.json, { tokens }, tokens.map(tokenLine));
  context.exit(EXIT.ok);
};

export const revokeAction = async (context: CommandContext, id: string, options: GatewayOptions): Promise<void> => {
  const client = (await adminClient(context, options)).client;
  await client.delete(`/tokens/${encodeURIComponent(id)}`);
  printReport(context, options.json, { revoked: id }, [`revoked ${id}`]);
  context.exit(EXIT.ok);
};
