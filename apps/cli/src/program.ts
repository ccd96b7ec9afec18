import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import type { CommandContext } from './command-context.js';
import { connectCommand } from './connect.commands.js';
import { forgetCommand } from './forget/forget.commands.js';
import { importCommand } from './import/import.commands.js';
import { initCommand } from './init.commands.js';
import { keysCommand } from './keys.commands.js';
import { linkCommand } from './link.commands.js';
import { oplogCommand } from './oplog/oplog.commands.js';
import { seriesCommand } from './series/series.commands.js';
import { syncCommand } from './sync/sync.commands.js';
import { tokensCommand } from './tokens/tokens.commands.js';
import { vectorsCommand } from './vectors/vectors.commands.js';

const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as {
  version: string;
};

/**
 * All commands by name and option. A command's action is imported when it runs: its modules (NATS, Postgres,
 * OpenSearch, Nest) take most of a second to load, and neither help nor a mistyped name should wait for them.
 */
export const cairnProgram = (context: CommandContext): Command => {
  const commands = [
    connectCommand,
    linkCommand,
    tokensCommand,
    importCommand,
    seriesCommand,
    syncCommand,
    oplogCommand,
    vectorsCommand,
    forgetCommand,
    keysCommand,
    initCommand,
  ].map((make) => make(context));
  const names = commands.map((command) => command.name()).join(', ');
  const program = new Command('cairn')
    .description("Cairn's command line for operators")
    .version(version, '-v, --version', 'print the version')
    .showHelpAfterError(`The commands are ${names}; \`cairn --help\` says what they do.`);
  for (const command of commands) program.addCommand(command);
  return program;
};

/** Without arguments, the help is printed; commander alone would report an error. */
export const runProgram = async (program: Command, args: readonly string[]): Promise<void> => {
  await program.parseAsync(args.length === 0 ? ['--help'] : args, { from: 'user' });
};
