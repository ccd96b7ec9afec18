import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fail } from '@cairn/kernel';

export interface UnprivilegedUser {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/**
 * Postgres refuses to run as root, so root runs it as another user of the machine. Undefined if this process is not
 * root.
 */
export const unprivilegedUser = (): UnprivilegedUser | undefined => {
  if (process.getuid?.() !== 0) return undefined;
  const users = readFileSync('/etc/passwd', 'utf8').split('\n');
  for (const name of ['postgres', 'nobody']) {
    const fields = users.find((line) => line.startsWith(`${name}:`))?.split(':');
    if (fields) return { name, uid: Number(fields[2]), gid: Number(fields[3]) };
  }
  const message =
    'Postgres does not run as root, and there is neither a user "postgres" nor "nobody"; create one of them';
  throw fail('postgres.no_user', message);
};

/** Runs a command to completion as the given user, or as the user of this process if none is given. */
export const runAs = (user: UnprivilegedUser | undefined, file: string, args: readonly string[]) => {
  const drop = user ? ['setpriv', `--reuid=${user.uid}`, `--regid=${user.gid}`, '--clear-groups'] : [];
  const [program = file, ...rest] = [...drop, file, ...args];
  return spawnSync(program, rest, { encoding: 'utf8', cwd: '/' });
};
