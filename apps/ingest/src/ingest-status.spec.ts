import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { IngestStatus, type IngestStatusOptions } from './ingest-status.js';

const HELD = fail('contract.unknown_event', 'the op at position 7 was written by a newer version of Cairn');

const statusOf = (change: Partial<IngestStatusOptions> = {}) =>
  new IngestStatus({
    nats: { isClosed: () => false },
    projections: { isCaughtUp: true, failure: undefined, held: undefined },
    rotation: { view: () => ({ kekId: '0a1b2c3d', rotation: 'none', checkedAt: null }) },
    probeDatabase: () => Promise.resolve(),
    brokerProblem: () => undefined,
    readModelsProblem: () => undefined,
    streamProblems: () => [],
    lease: { holder: undefined },
    ...change,
  });

const check = (change?: Partial<IngestStatusOptions>) => statusOf(change).check();

describe('the readiness of ingest', () => {
  it('is given when a command would be carried out', async () => {
    expect(await check()).toEqual({ ready: true, notes: [] });
  });

  it.each<[string, Partial<IngestStatusOptions>, string]>([
    ['the disk of the broker is full', { brokerProblem: () => 'full' }, 'the broker does not accept writes'],
    ['it fills its read models', { readModelsProblem: () => 'still filling' }, 'still filling'],
    ['the broker is gone', { nats: { isClosed: () => true } }, 'the broker is unavailable'],
    [
      'it catches up',
      { projections: { isCaughtUp: false, failure: undefined, held: undefined } },
      'ingest is catching up with the op-log',
    ],
    [
      'the library stands still',
      { projections: { isCaughtUp: true, failure: fail('internal.defect', 'a bug'), held: undefined } },
      'the library projection is stalled',
    ],
    [
      'the library waits for a newer version',
      { projections: { isCaughtUp: true, failure: HELD, held: HELD.message } },
      `the library projection waits: ${HELD.message}`,
    ],
    ['Postgres refuses', { probeDatabase: () => Promise.reject(new Error('refused')) }, 'Postgres is unavailable'],
    ['Postgres hangs', { probeDatabase: () => new Promise(() => undefined) }, 'Postgres is unavailable'],
  ])('is not given while %s', async (_, change, note) => {
    expect(await check(change)).toEqual({ ready: false, notes: [note] });
  });
});

describe('the status of ingest', () => {
  it('names the op of a newer version at which a projection waits', () => {
    const follower = { isCaughtUp: true, failure: undefined, held: HELD.message };
    expect(statusOf({ projections: follower }).view()).toMatchObject({ held: HELD.message });
    expect(statusOf().view()).not.toHaveProperty('held');
  });
});
