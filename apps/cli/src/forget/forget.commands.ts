import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { json } from '../json-option.js';

const actions = () => import('./forget.actions.js');

export const forgetCommand = (context: CommandContext): Command => {
  const forget = new Command('forget').description('what was forgotten, and whether anything is left of it');

  forget
    .command('verify')
    .description('look into every store for what is left')
    .requiredOption('--id <id>', 'of the item, the chunk or the receipt')
    .addOption(json())
    .action(async (options: { id: string; json?: boolean }) => (await actions()).verifyAction(context, options));

  forget
    .command('purge')
    .description('take what was forgotten off the disk now, not in a quiet moment, and wait for the receipts')
    .addOption(json())
    .action(async (options: { json?: boolean }) => (await actions()).purgeAction(context, options));

  return forget;
};
