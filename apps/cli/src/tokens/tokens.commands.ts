import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { adminToken, url } from '../gateway-options.js';
import { json } from '../json-option.js';
import type { GatewayOptions } from '../rest/admin-client.js';
import type { IssueOptions } from './tokens.actions.js';

/** Written out, because help must not load the contracts. */
const SCOPES =
  'read, write, memory:read, memory:write, memory:forget, knowledge:read, knowledge:write, graph:read, graph:write, ' +
  'external, admin';

const actions = () => import('./tokens.actions.js');

export const tokensCommand = (context: CommandContext): Command =>
  new Command('tokens')
    .description('the access tokens of a workspace: hand one out, see which there are, take one back')
    .addCommand(
      new Command('issue')
        .description('make a token; its secret is printed once')
        .argument('<name>', 'what it is for, such as the name of the agent')
        .requiredOption('--scopes <list>', `what it may do, separated by commas: ${SCOPES}`)
        .option('--folders <slugs>', 'the only folders it sees, separated by commas')
        .option('--unscoped', 'it sees the whole workspace')
        .option('--agent <id>', 'who stores with it; a UUID when left out')
        .option('--kb-only', 'it sees and keeps nothing outside of the knowledge base')
        .option('--toolsets <list>', 'the tools it is shown, separated by commas; all when left out')
        .option('--rate <n>', 'tool calls per hour, or none')
        .option('--rest-rate <n>', 'REST requests per hour, or none; 36000 when left out')
        .option('--client <client>', 'also print what connects this client, such as claude-code; see `cairn connect`')
        .option('--expires <time>', 'when it ends, such as 2027-01-31T12:00:00Z; in a year when left out')
        .addOption(url())
        .addOption(adminToken())
        .addOption(json())
        .action(async (name: string, options: IssueOptions) => (await actions()).issueAction(context, name, options)),
    )
    .addCommand(
      new Command('list')
        .description('all tokens of the workspace, without their secrets')
        .addOption(url())
        .addOption(adminToken())
        .addOption(json())
        .action(async (options: GatewayOptions) => (await actions()).listAction(context, options)),
    )
    .addCommand(
      new Command('revoke')
        .description('refuse a token everywhere within two seconds, and close what it has open')
        .argument('<id>', 'as `cairn tokens list` shows it')
        .addOption(url())
        .addOption(adminToken())
        .addOption(json())
        .action(async (id: string, options: GatewayOptions) => (await actions()).revokeAction(context, id, options)),
    );
