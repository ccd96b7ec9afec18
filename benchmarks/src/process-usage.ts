import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { sum } from './statistics.js';

export interface ProcessMemory {
  readonly pid: number;
  readonly name: string;
  readonly rssBytes: number;
  /** The most it ever had. */
  readonly peakBytes: number;
}

const KIB = 1_024;
/** Positions in /proc/<pid>/stat, counted behind the name, and the unit: fixed by Linux at 100 a second. */
const UTIME = 11;
const STIME = 12;
const MS_PER_TICK = 10;

const field = (status: string, name: string): string => new RegExp(`^${name}:\\s*(.+)$`, 'm').exec(status)?.[1] ?? '';

const readStatus = (pid: number): string | undefined => {
  try {
    return readFileSync(`/proc/${pid}/status`, 'utf8');
  } catch {
    return undefined;
  }
};

/** A process and all that it started, with their status from /proc; nothing where there is no /proc. */
const treeOf = (rootPid: number): ReadonlyMap<number, string> => {
  const statuses = new Map<number, string>();
  if (!existsSync('/proc')) return statuses;
  for (const entry of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    const status = readStatus(Number(entry));
    if (status) statuses.set(Number(entry), status);
  }
  const tree = new Set([rootPid]);
  // A child has a parent that is in the tree; grandchildren need a further pass.
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

/** Processor time of a process and all that it started, so far. Unlike a duration it does not depend on who else runs. */
export const cpuMsOfTree = (rootPid: number): number => {
  const ticks = [...treeOf(rootPid).keys()].map((pid) => {
    // The name may hold blanks; what follows its closing bracket does not.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return Number(fields[UTIME]) + Number(fields[STIME]);
  });
  return ticks.length === 0 ? Number.NaN : sum(ticks) * MS_PER_TICK;
};
