import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { adminToken, url } from '../gateway-options.js';
import { json } from '../json-option.js';
import type { GatewayOptions } from '../rest/admin-client.js';

export const seriesCommand = (context: CommandContext): Command =>
  new Command('series').description('rows of connected sources over time').addCommand(
    new Command('import')
      .description('import a file of rows into an account; run it again to go on after an interruption')
      .argument('<account>', 'the id of the account, as GET /api/v1/accounts shows it')
      .argument('<file>', 'a .csv or .json file of the source')
      .addOption(url())
      .addOption(adminToken())
      .addOption(json())
      .action(async (account: string, file: string, options: GatewayOptions) =>
        (await import('./series.actions.js')).importSeriesAction(context, account, file, options),
      ),
  );
