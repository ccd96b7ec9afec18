import { FORGOTTEN_PURGED_MS_MAX } from '@cairn/contracts';

/** Rewriting tables blocks others, so it is done for many forgettings together, in a quiet moment. */
const COLLECT_MS = 10 * 60_000;
const QUIET_MS = 5_000;
/** At this age it is done under any load, long before the published limit. */
const FORCED_MS = FORGOTTEN_PURGED_MS_MAX / 2;
/** The operator's command repeats its request; a purge that has just failed would fail again and block others. */
const WANTED_AGAIN_MS = 30_000;

export interface PurgeSituation {
  readonly nowMs: number;
  /** When the oldest waiting item was forgotten; undefined if none waits. */
  readonly oldestMs: number | undefined;
  readonly lastBusyMs: number;
  /** The time of the last attempt. */
  readonly lastPurgeMs: number;
  /** The time of the last failure. */
  readonly lastFailedMs: number;
  /** True if an operator has requested it. */
  readonly wanted: boolean;
}

export const isPurgeDue = (situation: PurgeSituation): boolean => {
  const { nowMs, oldestMs, lastBusyMs, lastPurgeMs, lastFailedMs, wanted } = situation;
  if (oldestMs === undefined) return false;
  if (wanted) return nowMs - lastFailedMs >= WANTED_AGAIN_MS;
  if (nowMs - lastPurgeMs < COLLECT_MS) return false;
  const age = nowMs - oldestMs;
  const isQuiet = nowMs - lastBusyMs >= QUIET_MS;
  return age >= FORCED_MS || (age >= COLLECT_MS && isQuiet);
};
