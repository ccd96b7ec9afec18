import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sum } from './statistics.js';

export interface ProcessMemory {
  readonly pid: number;
  readonly name: string;
  readonly rssBytes: number;
  /** The peak. */
  readonly peakBytes: number;
}

const KIB = 1_024;
/** Positions of user and system time in /proc/<pid>/stat, counted after the name. */
const OWN = [11, 12];
const OF_ENDED_CHILDREN = [13, 14];
/** Linux reports times in hundredths of a second. */
const MS_PER_TICK = 10;

const field = (status: string, name: string): string => new RegExp(`^${name}:\\s*(.+)$`, 'm').exec(status)?.[1] ?? '';

const readStatus = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
};

/** A process and its descendants, with their status from /proc; empty where /proc does not exist. */
const treeOf = (rootPid: number): ReadonlyMap<number, string> => {
  const statuses = new Map<number, string>();
  if (!existsSync('/proc')) return statuses;
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const status = readStatus(Number(entry));
    if (status) statuses.set(Number(entry), status);
  }
  const tree = new Set([rootPid]);
  // A child's parent is in the tree; grandchildren need another pass.
  for (let size = 0; size !== tree.size;) {
    size = tree.size;
    for (const [pid, status] of statuses) if (tree.has(Number(field(status, 'PPid')))) tree.add(pid);
  }
  return new Map([...statuses].filter(([pid]) => tree.has(pid)));
};

export const memoryOfTree = (rootPid: number): ProcessMemory[] =>
  [...treeOf(rootPid)].map(([pid, status]) => {
    const bytes = (name: string): number => Number.parseInt(field(status, name), 10) * KIB;
    return { pid, name: field(status, 'Name'), rssBytes: bytes('VmRSS'), peakBytes: bytes('VmHWM') };
  });

const ticksOf = (pid: number, fields: readonly number[]): number => {
  try {
    // The name may contain spaces; the fields after its closing bracket do not.
    const values = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return sum(fields.map((field) => Number(values[field])));
  } catch {
    return 0;
  }
};

const cpuMs = (rootPid: number, fields: readonly number[]): number => {
  const pids = [...treeOf(rootPid).keys()];
  return pids.length === 0 ? Number.NaN : sum(pids.map((pid) => ticksOf(pid, fields))) * MS_PER_TICK;
};

/** Processor time of a process and its descendants so far. Unlike a duration, it does not depend on other load. */
export const cpuMsOfTree = (rootPid: number): number => cpuMs(rootPid, OWN);

/**
 * Returns how many cores other processes have used since: the machine's busy time without that of this process and its
 * children, including those that have ended.
 */
export const watchOthers = (): (() => number) => {
  const othersMs = (): number => machineBusyMs() - cpuMs(process.pid, [...OWN, ...OF_ENDED_CHILDREN]);
  const [beforeMs, startMs] = [othersMs(), performance.now()];
  return () => Math.max(0, (othersMs() - beforeMs) / (performance.now() - startMs));
};

/** From the first line of /proc/stat: user, nice, system, idle, iowait, irq, softirq. */
const machineBusyMs = (): number => {
  if (!existsSync('/proc/stat')) return Number.NaN;
  const [user, nice, system, , , irq, softirq] = readFileSync('/proc/stat', 'utf8')
    .split('\n')[0]!
    .split(/\s+/)
    .slice(1)
    .map(Number);
  return sum([user!, nice!, system!, irq!, softirq!]) * MS_PER_TICK;
};
