import { FORGOTTEN_PURGED_MS_MAX } from '@cairn/contracts';
import { describe, expect, it } from '@jest/globals';
import { isPurgeDue, type PurgeSituation } from './purge-schedule.js';

const MINUTE_MS = 60_000;
const now = 1_000 * MINUTE_MS;
const after = (minutes: number, more: Partial<PurgeSituation> = {}): boolean =>
  isPurgeDue({
    nowMs: now,
    oldestMs: now - minutes * MINUTE_MS,
    lastBusyMs: 0,
    lastPurgeMs: 0,
    lastFailedMs: 0,
    wanted: false,
    ...more,
  });

describe('the purge', () => {
  it('waits for more forgettings, and for a quiet moment', () => {
    expect(after(9)).toBe(false);
    expect(after(11)).toBe(true);
    expect(after(11, { lastBusyMs: now - 1_000 })).toBe(false);
  });

  it('does not wait forever: it runs long before the published limit', () => {
    const half = FORGOTTEN_PURGED_MS_MAX / MINUTE_MS / 2;
    expect(after(half, { lastBusyMs: now })).toBe(true);
  });

  it('is not retried continuously when something is left', () => {
    expect(after(60, { lastPurgeMs: now - MINUTE_MS })).toBe(false);
    expect(after(60, { lastPurgeMs: now - 10 * MINUTE_MS })).toBe(true);
  });

  it('runs at once for an operator, but never without need', () => {
    expect(after(0, { wanted: true, lastBusyMs: now })).toBe(true);
    expect(after(0, { wanted: true, oldestMs: undefined })).toBe(false);
  });

  it('waits after a failure, however often an operator asks', () => {
    const failed = { wanted: true, lastPurgeMs: now - 2_000, lastFailedMs: now - 1_000 };
    expect(after(0, failed)).toBe(false);
    expect(after(0, { ...failed, lastFailedMs: now - MINUTE_MS })).toBe(true);
    expect(after(0, { ...failed, lastFailedMs: 0 })).toBe(true);
  });
});
