import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { ReadinessProbe } from './readiness.js';

const away = () => Promise.reject(fail('service.unavailable', 'away'));
const refused = () => Promise.reject(fail('input.invalid', 'tokenId is required'));
const answered = () => Promise.resolve({ items: [] });

const probe = (command: () => Promise<unknown>, query: () => Promise<unknown>, isClosed = false) =>
  new ReadinessProbe({ isClosed: () => isClosed } as never, { command, query } as never);

describe('ReadinessProbe', () => {
  it.each([
    ['both answer, ingest by refusing', refused, answered, { ready: true, notes: [] }],
    ['ingest is away', away, answered, { ready: false, notes: ['ingest away'] }],
    ['search is away', refused, away, { ready: false, notes: ['search away'] }],
  ])('when %s', async (_, command, query, expected) => {
    expect(await probe(command, query).check()).toEqual(expected);
  });

  it('is not ready without a broker, nor while it shuts down', async () => {
    expect((await probe(refused, answered, true).check()).ready).toBe(false);
    const leaving = probe(refused, answered);
    leaving.drain();
    expect((await leaving.check()).ready).toBe(false);
  });
});
