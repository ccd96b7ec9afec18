import { Command } from 'commander';
import type { CommandContext } from './command-context.js';

/** Creates the first workspace of a cluster; the standalone profile does this by itself. */
export const initCommand = (context: CommandContext): Command =>
  new Command('init')
    .description('create the first workspace and print its admin token, once')
    .option('--new-token', 'where there is a workspace already: issue and print a further admin token')
    .action(async (options: { newToken?: boolean }) =>
      (await import('./init.actions.js')).initAction(context, options),
    );
