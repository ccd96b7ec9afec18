import { Command } from 'commander';
import type { CommandContext } from '../command-context.js';
import { json } from '../json-option.js';
import type { ImportOptions } from './import.actions.js';

export const importCommand = (context: CommandContext): Command =>
  new Command('import')
    .description('store the files of a folder as items; run it again to go on after an interruption')
    .argument('<folder>', 'the folder to import, with everything below it')
    .option('--url <url>', 'the gateway; the Cairn that runs on CAIRN_HOME when left out')
    .option('--token <token>', 'an access token with the scope write; better in CAIRN_TOKEN')
    .option('--folder <slug>', 'the folder in Cairn; the default folder when left out')
    .option('--tags <list>', 'tags for every item, separated by commas')
    .option('--concurrency <n>', 'requests on their way at the same time', '4')
    .option('--journal <file>', 'what is imported already; below CAIRN_HOME when left out')
    .option('--dry-run', 'only say what a run would do now')
    .addOption(json())
    .action(async (folder: string, options: ImportOptions) =>
      (await import('./import.actions.js')).importAction(context, folder, options),
    );
