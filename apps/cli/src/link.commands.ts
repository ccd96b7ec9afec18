import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { adminToken, url } from './gateway-options.js';
import { json } from './json-option.js';
import type { GatewayOptions } from './rest/admin-client.js';

export const linkCommand = (context: CommandContext): Command =>
  new Command('link')
    .description('print a link that signs in to the console once')
    .addOption(url())
    .addOption(adminToken())
    .addOption(json())
    .action(async (options: GatewayOptions) => (await import('./link.actions.js')).linkAction(context, options));
