import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { ReadinessProbe } from './readiness.js';

const away = () => Promise.reject(fail('service.unavailable', 'away'));
const refused = () => Promise.reject(fail('input.invalid', 'x is unknown'));
const writing = () => Promise.resolve({ keys: {} });
const stuck = () => Promise.resolve({ keys: {}, brokerProblem: 'the disk is full' });
const answered = () => Promise.resolve({ items: [] });

const probe = (ingest: () => Promise<unknown>, search: () => Promise<unknown>, isClosed = false) =>
  new ReadinessProbe(
    { isClosed: () => isClosed } as never,
    { query: (type: string) => (type === 'ingest.get' ? ingest() : search()) } as never,
  );

describe('ReadinessProbe', () => {
  it.each([
    ['both answer', writing, answered, { ready: true, notes: [] }],
    ['both answer, search by refusing', writing, refused, { ready: true, notes: [] }],
    ['ingest is away', away, answered, { ready: false, notes: ['ingest away'] }],
    ['search is away', writing, away, { ready: false, notes: ['search away'] }],
    ['the broker cannot write', stuck, answered, { ready: false, notes: ['the broker takes no writes'] }],
  ])('when %s', async (_, ingest, search, expected) => {
    expect(await probe(ingest, search).check()).toEqual(expected);
  });

  it('is not ready without a broker, nor while it shuts down', async () => {
    expect((await probe(writing, answered, true).check()).ready).toBe(false);
    const leaving = probe(writing, answered);
    leaving.drain();
    expect((await leaving.check()).ready).toBe(false);
  });
});
