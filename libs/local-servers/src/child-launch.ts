import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { createInterface } from 'node:readline';
import { killGroup, killGroupOnly } from './process-identity.js';

/** The command to run. `ipc` opens a message channel, for children that are Node themselves. */
export interface LaunchCommand {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  readonly ipc?: boolean;
  /** Run as this user; only root may set it. */
  readonly runAs?: { readonly uid: number; readonly gid: number };
}

export interface LaunchedChild {
  readonly process: ChildProcess;
  readonly pid: number;
  /** Settles when the process has ended, with a text that describes how. */
  readonly exited: Promise<ChildExit>;
  /** The last lines it printed, newest last. */
  lastLines(): string;
}

export interface ChildExit {
  readonly code: number | null;
  readonly text: string;
}

const LAST_LINES_MAX = 20;
const liveChildren = new Set<number>();
let hasExitHook = false;
let deathSignalSupport: boolean | undefined;

/**
 * Starts a child in its own process group: Ctrl-C in a terminal reaches the parent's whole group, but the parent has to
 * choose the order in which its servers stop.
 */
export const launch = async (command: LaunchCommand, log: (line: string) => void): Promise<LaunchedChild> => {
  const { file, args } = wrapped(command);
  const stdio: StdioOptions = command.ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'];
  const child = spawn(file, args, { detached: true, stdio, ...(command.cwd ? { cwd: command.cwd } : {}) });
  const exited = new Promise<ChildExit>((resolve) => {
    child.once('close', (code, signal) => resolve({ code, text: signal ? `signal ${signal}` : `exit code ${code}` }));
  });
  const lines = collectLines(child, log);
  const { pid } = child;
  if (pid === undefined) throw await new Promise<Error>((resolve) => child.once('error', resolve));
  // Processes that the child started are useless without it, and would hold the parent's pipes and the child's files
  // open.
  child.once('exit', () => killGroupOnly(pid, 'SIGKILL'));
  endWithParent(pid, exited);
  return { process: child, pid, exited, lastLines: () => lines.join('\n') };
};

const collectLines = (child: ChildProcess, log: (line: string) => void): readonly string[] => {
  const lines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream, crlfDelay: Infinity }).on('line', (line) => {
      lines.push(line);
      if (lines.length > LAST_LINES_MAX) lines.shift();
      log(line);
    });
  }
  return lines;
};

/**
 * `setpriv` asks the kernel to kill the program when the thread that started it dies for any reason, and then becomes the
 * program (same pid). Without such a `setpriv`, the next start finds orphans by the pid file and ends them.
 */
const wrapped = (command: LaunchCommand): { file: string; args: string[] } => {
  const flags: string[] = [];
  if (supportsDeathSignal()) flags.push('--pdeathsig', 'KILL');
  if (command.runAs) {
    flags.push(`--reuid=${command.runAs.uid}`, `--regid=${command.runAs.gid}`, '--clear-groups');
  }
  if (flags.length === 0) return { file: command.file, args: [...command.args] };
  return { file: 'setpriv', args: [...flags, command.file, ...command.args] };
};

const supportsDeathSignal = (): boolean => {
  deathSignalSupport ??=
    process.platform === 'linux' && spawnSync('setpriv', ['--pdeathsig', 'KILL', 'true']).status === 0;
  return deathSignalSupport;
};

/** `process.exit()` without an orderly stop must not leave servers behind either. */
const endWithParent = (pid: number, exited: Promise<ChildExit>): void => {
  liveChildren.add(pid);
  void exited.then(() => liveChildren.delete(pid));
  if (hasExitHook) return;
  hasExitHook = true;
  process.once('exit', () => liveChildren.forEach((child) => killGroup(child, 'SIGKILL')));
};
