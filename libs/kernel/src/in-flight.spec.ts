import { describe, expect, it } from '@jest/globals';
import { InFlight } from './in-flight.js';

const deferred = () => {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve: () => resolve() };
};

describe('InFlight', () => {
  it('waits for all work, including what begins meanwhile and what fails', async () => {
    const inFlight = new InFlight();
    const [first, second] = [deferred(), deferred()];
    const done: string[] = [];
    const work = inFlight.run(async () => {
      await first.promise;
      void inFlight.run(() => second.promise).then(() => done.push('second'));
      throw new Error('failed');
    });
    const empty = inFlight.empty().then(() => done.push('empty'));
    first.resolve();
    await expect(work).rejects.toThrow('failed');
    second.resolve();
    await empty;
    expect(done).toEqual(['second', 'empty']);
  });

  it('is empty at once without work', async () => {
    await new InFlight().empty();
  });
});
