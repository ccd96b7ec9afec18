import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const CLI = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const OUTPUT_MAX = 16 * 1_024 * 1_024;

/** Runs the operator's command line with these settings and returns its report. */
export const cairn = async <T>(env: Readonly<Record<string, string>>, ...args: readonly string[]): Promise<T> => {
  const options = { env: { PATH: process.env['PATH'], ...env }, maxBuffer: OUTPUT_MAX };
  const { stdout } = await promisify(execFile)(process.execPath, [CLI, ...args, '--json'], options);
  return JSON.parse(stdout) as T;
};
