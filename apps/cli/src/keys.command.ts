import { KekFiles } from '@cairn/vault';
import { Command } from 'commander';
import type { CliEnv } from './connection.js';
import { EXIT, RefusedError, UsageError } from './exit.js';
import type { CommandContext } from './oplog/oplog.commands.js';

/** Makes the next KEK only; the start that takes it over has the home to itself. */
const rotate = (env: CliEnv): void => {
  if (env.CAIRN_KEK !== undefined)
    throw new UsageError('CAIRN_KEK is set, so it is rotated where it comes from: see docs/guides/rotate-the-kek.md');
  const files = new KekFiles(env.CAIRN_HOME);
  if (!files.exists) throw new UsageError(`there is no kek in ${env.CAIRN_HOME}: set CAIRN_HOME`);
  if (files.hasPrevious)
    throw new RefusedError(
      'the last rotation is not at its end: start Cairn and wait until GET /api/v1/status says done',
    );
  files.prepareNext();
};

export const keysCommand = (env: CliEnv, { out, exit }: CommandContext): Command =>
  new Command('keys').description('the key-encryption key of a standalone home').addCommand(
    new Command('rotate')
      .description('replace it: the next start wraps all keys anew and destroys the old one')
      .action(() => {
        rotate(env);
        out('the next start of Cairn takes over a new KEK, wraps all keys anew and destroys the old one');
        exit(EXIT.ok);
      }),
  );
