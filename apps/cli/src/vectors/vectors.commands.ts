import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.js';
import { json } from '../json-option.js';

const actions = () => import('./vectors.actions.js');

interface Confirmed {
  readonly json?: boolean;
  readonly yes?: boolean;
}

const yes = () => new Option('--yes', 'really do it');

export const vectorsCommand = (context: CommandContext): Command => {
  const vectors = new Command('vectors').description('see which model the vectors are of, and replace them');

  vectors
    .command('status')
    .description('the vectors that searches use, the next ones and the previous ones')
    .addOption(json())
    .action(async (options: { json?: boolean }) => (await actions()).statusAction(context, options));

  vectors
    .command('reembed')
    .description('make new vectors beside the live ones, compare them, and let searches use them')
    .option('--model <source>', 'the model to embed with; by default the configured one')
    .option('--hold', 'stop before searches use them, until `cairn vectors flip`')
    .addOption(json())
    .action(async (options: { json?: boolean; model?: string; hold?: boolean }) =>
      (await actions()).reembedAction(context, options),
    );

  vectors
    .command('flip')
    .description('let searches use the next vectors, which are complete')
    .addOption(json())
    .action(async (options: { json?: boolean }) => (await actions()).flipAction(context, options));

  vectors
    .command('rollback')
    .description('let searches use the previous vectors again')
    .addOption(yes())
    .addOption(json())
    .action(async (options: Confirmed) => (await actions()).rollbackAction(context, options));

  vectors
    .command('drop')
    .description('remove the previous vectors now, instead of a day after the flip')
    .addOption(yes())
    .addOption(json())
    .action(async (options: Confirmed) => (await actions()).dropAction(context, options));
  return vectors;
};
