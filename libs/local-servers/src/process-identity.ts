import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/kernel';

/** A pid is recycled; together with the time the process started, it identifies one process forever. */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startedAt: string;
}

const STALE_DEATH_TIMEOUT_MS = 10_000;
const POLL_MS = 10;

/** The identity of a living process, or undefined when there is none. A zombie counts as dead: it holds no file. */
export const identify = (pid: number): ProcessIdentity | undefined => {
  const startedAt = existsSync('/proc/self/stat') ? startFromProc(pid) : startFromPs(pid);
  return startedAt === undefined ? undefined : { pid, startedAt };
};

const startFromProc = (pid: number): string | undefined => {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The second field is the program's name in brackets and may hold anything, hence the search for the last bracket.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [state, startTicks] = [fields[0], fields[19]];
    if (state === 'Z' || state === 'X' || startTicks === undefined) return undefined;
    return `${readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()}/${startTicks}`;
  } catch {
    return undefined;
  }
};

const startFromPs = (pid: number): string | undefined => {
  try {
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
  } catch {
    return undefined;
  }
};

/** Writes the file atomically, so that a reader never sees half of it. */
export const writePidFile = (file: string, pid: number): void => {
  const identity = identify(pid);
  if (identity === undefined) return;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(`${file}.part`, JSON.stringify(identity));
  renameSync(`${file}.part`, file);
};

export const removePidFile = (file: string): void => {
  rmSync(file, { force: true });
};

/**
 * Ends the server that an earlier, killed parent left behind on the same data. The caller must hold its own lock on the
 * data, because a server of a living parent looks the same. Returns the pid that was ended.
 */
export const endStaleProcess = async (file: string): Promise<number | undefined> => {
  const old = readPidFile(file);
  if (old === undefined || !isSameProcess(old)) {
    removePidFile(file);
    return undefined;
  }
  killGroup(old.pid, 'SIGKILL');
  const deadline = Date.now() + STALE_DEATH_TIMEOUT_MS;
  while (isSameProcess(old)) {
    if (Date.now() > deadline) {
      const message = `Process ${old.pid} of an earlier run (${file}) does not end; end it by hand and start again`;
      throw fail('server.stale_process', message, { pid: old.pid });
    }
    await delay(POLL_MS);
  }
  removePidFile(file);
  return old.pid;
};

const readPidFile = (file: string): ProcessIdentity | undefined => {
  try {
    const { pid, startedAt } = JSON.parse(readFileSync(file, 'utf8')) as Partial<ProcessIdentity>;
    return typeof pid === 'number' && typeof startedAt === 'string' ? { pid, startedAt } : undefined;
  } catch {
    return undefined;
  }
};

const isSameProcess = (old: ProcessIdentity): boolean => identify(old.pid)?.startedAt === old.startedAt;

/** Child processes lead their own process group, so this also reaches the processes that they started. */
export const killGroup = (pid: number, signal: NodeJS.Signals): void => {
  killGroupOnly(pid, signal);
  sendSignal(pid, signal);
};

/** For a leader that has already ended, whose pid may belong to another process by now. */
export const killGroupOnly = (pid: number, signal: NodeJS.Signals): void => {
  sendSignal(-pid, signal);
};

const sendSignal = (target: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(target, signal);
  } catch {
    // The process, or its group, has already ended.
  }
};
