import { execFile } from 'node:child_process';

export interface CommandResult {
  readonly exitCode: number;
  /** Standard output and standard error, for finding the cause of a failure. */
  readonly output: string;
}

/** Runs an external client to completion. A non-zero exit is a result; a command that cannot run at all rejects. */
export type RunCommand = (
  command: string,
  args: readonly string[],
  options: { readonly cwd: string; readonly timeoutMs: number },
) => Promise<CommandResult>;

const OUTPUT_BYTES_MAX = 16 * 1024 * 1024;

export const runCommand: RunCommand = (command, args, { cwd, timeoutMs }) =>
  new Promise((resolve, reject) => {
    const options = { cwd, timeout: timeoutMs, maxBuffer: OUTPUT_BYTES_MAX };
    execFile(command, [...args], options, (error, stdout, stderr) => {
      const output = `${stdout}\n${stderr}`;
      if (error === null) resolve({ exitCode: 0, output });
      else if (error.code === 'ENOENT') reject(new Error(`${command} is not installed or not on the PATH`));
      else if (error.killed === true) reject(new Error(`${command} gave no result within ${timeoutMs / 1000} s`));
      else if (typeof error.code === 'number') resolve({ exitCode: error.code, output });
      else reject(new Error(`${command} could not be run: ${error.message}`));
    });
  });
