import { describe, expect, it } from '@jest/globals';
import { DatabaseSize } from './database-size.js';

const MIB = 1_048_576;

describe('the size of the database', () => {
  it('is read once a minute, however many callers ask, and rounded up to a MiB', async () => {
    let [now, asked] = [0, 0];
    const size = new DatabaseSize(() => Promise.resolve(++asked * MIB + 1), { now: () => now });
    expect(await Promise.all([size.bytes(), size.bytes()])).toEqual([2 * MIB, 2 * MIB]);
    now = 59_999;
    expect(await size.bytes()).toBe(2 * MIB);
    now = 60_000;
    expect(await size.bytes()).toBe(3 * MIB);
    expect(asked).toBe(2);
  });

  it('is read again after a failure', async () => {
    const answers = [Promise.reject(new Error('unavailable')), Promise.resolve(MIB)];
    const size = new DatabaseSize(() => answers.shift()!, { now: () => 0 });
    await expect(size.bytes()).rejects.toThrow('unavailable');
    expect(await size.bytes()).toBe(MIB);
  });
});
