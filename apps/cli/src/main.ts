import 'reflect-metadata';
import { AppError, loadConfig } from '@cairn/kernel';
import { Command } from 'commander';
import { cliEnv, connectEngines } from './connection.js';
import { EXIT, RefusedError } from './exit.js';
import { forgetCommand } from './forget/forget.commands.js';
import { importCommand } from './import/import.command.js';
import { initCommand } from './init.command.js';
import { keysCommand } from './keys.command.js';
import { oplogCommand } from './oplog/oplog.commands.js';

const env = loadConfig(cliEnv, process.env);
const context = {
  connect: () => connectEngines(env),
  out: (line: string) => void process.stdout.write(`${line}\n`),
  err: (line: string) => void process.stderr.write(`${line}\n`),
  exit: (code: number) => {
    process.exitCode = code;
  },
};

const program = new Command('cairn')
  .description("Cairn's command line for operators")
  .addCommand(oplogCommand(context))
  .addCommand(forgetCommand(context))
  .addCommand(keysCommand(env, context))
  .addCommand(initCommand(env, context))
  .addCommand(importCommand(env, context))
  .exitOverride((error) => process.exit(error.exitCode === 0 ? EXIT.ok : EXIT.usage));

try {
  await program.parseAsync();
} catch (thrown) {
  const isKnown =
    thrown instanceof AppError || (thrown instanceof Error && /Error$/.test(thrown.name) && thrown.name !== 'Error');
  context.err(isKnown ? `cairn: ${(thrown as Error).message}` : `cairn: ${String(thrown)}`);
  process.exitCode = thrown instanceof RefusedError ? EXIT.refused : EXIT.usage;
}
