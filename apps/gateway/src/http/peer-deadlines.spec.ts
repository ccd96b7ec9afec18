import { describe, expect, it } from '@jest/globals';
import { isOverdue, PEER_LIMITS, type PeerState } from './peer-deadlines.js';

const { bodyIdleMs, graceMs, bytesPerSec, anonymousBodyMs, refusedBodyMs } = PEER_LIMITS;

const peer = (now: number, more: Partial<PeerState> = {}): boolean =>
  isOverdue(
    { now, startedAt: 0, progressAt: now, receivedBytes: 0, isBodyPending: true, isAnonymous: false, ...more },
    PEER_LIMITS,
  );

describe('a peer that sends', () => {
  it('may pause only for a limited time', () => {
    expect(peer(bodyIdleMs, { progressAt: 0 })).toBe(false);
    expect(peer(bodyIdleMs + 1, { progressAt: 0 })).toBe(true);
  });

  it('may take hours at the minimum rate', () => {
    const seconds = 3 * 3_600;
    expect(peer(seconds * 1_000, { receivedBytes: seconds * bytesPerSec })).toBe(false);
  });

  it('is late after the grace period if it sends a byte now and then', () => {
    expect(peer(graceMs, { receivedBytes: 4 })).toBe(false);
    expect(peer(graceMs + 2, { receivedBytes: 4 })).toBe(true);
  });

  it('has little time without a token, at any rate', () => {
    const anonymous = { isAnonymous: true, receivedBytes: 1_000_000 };
    expect(peer(anonymousBodyMs, anonymous)).toBe(false);
    expect(peer(anonymousBodyMs + 1, anonymous)).toBe(true);
  });

  it('has little time after its answer', () => {
    const answered = { at: 0, unsentBytes: 0 };
    expect(peer(refusedBodyMs, { answered })).toBe(false);
    expect(peer(refusedBodyMs + 1, { answered })).toBe(true);
  });
});

describe('a peer that has sent everything', () => {
  const whole = { isBodyPending: false, progressAt: 0 };

  it('may wait any time for its answer', () => {
    expect(peer(24 * 3_600_000, whole)).toBe(false);
  });

  it('has time to read in proportion to the answer', () => {
    const answered = { at: 0, unsentBytes: 10 * bytesPerSec };
    expect(peer(graceMs + 10_000, { ...whole, answered })).toBe(false);
    expect(peer(graceMs + 10_001, { ...whole, answered })).toBe(true);
  });
});
