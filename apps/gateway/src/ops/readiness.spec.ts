import { describe, expect, it } from '@jest/globals';
import { fail, type Readiness } from '@cairn/contracts';
import { ReadinessProbe, type NeededService } from './readiness.js';

const ready = (): Promise<Readiness> => Promise.resolve({ ready: true, notes: [] });
const notReady =
  (...notes: string[]) =>
  (): Promise<Readiness> =>
    Promise.resolve({ ready: false, notes });
const unavailable = (): Promise<Readiness> => Promise.reject(fail('service.unavailable', 'no responders'));

const probe = (
  ingest: () => Promise<Readiness>,
  search: () => Promise<Readiness>,
  isClosed = false,
  needs: readonly NeededService[] = ['ingest', 'search'],
) =>
  new ReadinessProbe(
    { isClosed: () => isClosed } as never,
    { query: (type: string) => (type === 'ingest.check' ? ingest() : search()) } as never,
    needs,
  );

describe('ReadinessProbe', () => {
  it.each([
    ['both services are ready', ready, ready, { ready: true, notes: [] }],
    ['ingest does not answer', unavailable, ready, { ready: false, notes: ['ingest is unavailable'] }],
    ['search does not answer', ready, unavailable, { ready: false, notes: ['search is unavailable'] }],
    ['search is not ready', ready, notReady(), { ready: false, notes: ['search is not ready'] }],
    ['ingest gives a reason', notReady('the disk is full'), ready, { ready: false, notes: ['the disk is full'] }],
  ])('reports readiness when %s', async (_, ingest, search, expected) => {
    expect(await probe(ingest, search).check()).toEqual(expected);
  });

  it('stays ready and names the problem while a service is down that it does not need', async () => {
    const gateway = (ingest: () => Promise<Readiness>, search: () => Promise<Readiness>) =>
      probe(ingest, search, false, ['search']).check();
    expect(await gateway(unavailable, ready)).toEqual({ ready: true, notes: ['ingest is unavailable'] });
    expect(await gateway(ready, unavailable)).toEqual({ ready: false, notes: ['search is unavailable'] });
  });

  it('is not ready without a broker, nor during shutdown', async () => {
    expect((await probe(ready, ready, true).check()).ready).toBe(false);
    const leaving = probe(ready, ready);
    leaving.drain();
    expect((await leaving.check()).ready).toBe(false);
  });
});
