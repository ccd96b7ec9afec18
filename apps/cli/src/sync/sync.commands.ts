import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { adminToken, url } from '../gateway-options.js';
import { json } from '../json-option.js';
import type { GatewayOptions } from '../rest/admin-client.js';

export const syncCommand = (context: CommandContext): Command =>
  new Command('sync')
    .description('store what the source of an account has; again, only what is new or changed')
    .argument('<account>', 'the id of the account, as GET /api/v1/accounts shows it')
    .addOption(url())
    .addOption(adminToken())
    .addOption(json())
    .action(async (account: string, options: GatewayOptions) =>
      (await import('./sync.actions.js')).syncAction(context, account, options),
    );
