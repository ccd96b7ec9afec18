import { Command, Option } from 'commander';
import type { CommandContext } from '../command-context.js';
import { json } from '../json-option.js';

const actions = () => import('./oplog.actions.js');

/** The projection names are not listed here: that would load every database client on each call of `cairn`. */
const PROJECTION = 'name of the projection, such as library; for an unknown name all are listed';

export const oplogCommand = (context: CommandContext): Command => {
  const oplog = new Command('oplog').description('look into the op-log and rebuild what is made of it');

  oplog
    .command('verify')
    .description('check sequence, hash chain, stream against archive, counts against the library')
    .addOption(json())
    .action(async (options: { json?: boolean }) => (await actions()).verifyAction(context, options));

  oplog
    .command('replay')
    .description('build the next version of a projection beside the live one, from the log alone')
    .argument('<projection>', PROJECTION)
    .addOption(json())
    .action(async (name: string, options: { json?: boolean }) =>
      (await actions()).replayAction(context, name, options),
    );

  oplog
    .command('promote')
    .description('put the rebuilt version in the place of the live one and drop the old one')
    .argument('<projection>', PROJECTION)
    .option('--yes', 'really do it')
    .addOption(json())
    .action(async (name: string, options: { json?: boolean; yes?: boolean }) =>
      (await actions()).promoteAction(context, name, options),
    );

  oplog
    .command('warm-up')
    .description('before an upgrade: fill the read models of this version of Cairn beside the live ones')
    .option('--as-ingest', 'use the user of ingest at the broker, as the Job of the chart does')
    .addOption(json())
    .action(async (options: { json?: boolean; asIngest?: boolean }) =>
      (await actions()).warmUpAction(context, options),
    );

  oplog
    .command('rollback')
    .description('let the version of Cairn that was live before use its own read models again')
    .option('--yes', 'really do it')
    .addOption(json())
    .action(async (options: { json?: boolean; yes?: boolean }) => (await actions()).rollbackAction(context, options));

  oplog
    .command('repair')
    .description('write a lost or set back broker again from the archive in Postgres, while ingest is stopped')
    .addOption(new Option('--from <source>', 'where the ops come from').choices(['archive']).makeOptionMandatory())
    .option('--dry-run', 'check everything and say what would be written')
    .addOption(json())
    .action(async (options: { json?: boolean; dryRun?: boolean }) =>
      (await import('../repair/repair.actions.js')).repairAction(context, options),
    );
  return oplog;
};
