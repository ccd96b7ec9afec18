import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import type { ConnectOptions } from './connect.actions.js';
import { json } from './json-option.js';

export const connectCommand = (context: CommandContext): Command =>
  new Command('connect')
    .description('print what connects an MCP client to this Cairn, ready to be pasted')
    .argument('[client]', 'such as claude-code; without one the clients are listed')
    .option('--url <url>', 'the gateway; the Cairn that runs on CAIRN_HOME when left out')
    .option('--token <token>', 'the token for the client; the agent token of CAIRN_HOME when left out')
    .addOption(json())
    .action(async (client: string | undefined, options: ConnectOptions) =>
      (await import('./connect.actions.js')).connectAction(context, client, options),
    );
