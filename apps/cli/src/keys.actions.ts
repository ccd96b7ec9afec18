import { loadConfig } from '@cairn/kernel';
import { KekFiles } from '@cairn/vault';
import type { CommandContext } from './command-context.js';
import { cliEnv, type CliEnv } from './connection.js';
import { EXIT, RefusedError, UsageError } from './exit.js';

/** Only creates the next KEK. The next start adopts it, because it has exclusive use of the home. */
const rotate = (env: CliEnv): void => {
  if (env.CAIRN_KEK !== undefined)
    throw new UsageError('CAIRN_KEK is set, so it is rotated where it comes from: see docs/guides/rotate-the-kek.md');
  const files = new KekFiles(env.CAIRN_HOME);
  if (!files.exists) throw new UsageError(`there is no kek in ${env.CAIRN_HOME}: set CAIRN_HOME`);
  if (files.hasPrevious)
    throw new RefusedError(
      'the last rotation has not finished: start Cairn and wait until GET /api/v1/status says done',
    );
  files.prepareNext();
};

export const rotateAction = ({ env, out, exit }: CommandContext): void => {
  rotate(loadConfig(cliEnv, env));
  out('the next start of Cairn adopts a new KEK, rewraps all keys under it and destroys the old one');
  exit(EXIT.ok);
};
