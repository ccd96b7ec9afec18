import { describe, expect, it } from '@jest/globals';
import { WrittenPositions } from './written-positions.js';

describe('written positions', () => {
  it('keep the highest position of each token, whatever the order of arrival', async () => {
    const positions = new WrittenPositions();
    await positions.wrote('a', 7);
    await positions.wrote('a', 5);
    positions.receive({ tokenId: 'a', position: 6 });
    expect([positions.of('a'), positions.of('b')]).toEqual([7, undefined]);
    positions.receive({ tokenId: 'a', position: 9 });
    expect(positions.of('a')).toBe(9);
  });

  it('resolve a write only when it has been announced, even after a later one', async () => {
    const announced: number[] = [];
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => (release = resolve));
    const positions = new WrittenPositions((_, position) => gate.then(() => announced.push(position)));
    const writes = Promise.all([positions.wrote('a', 8), positions.wrote('a', 7)]);
    expect(announced).toEqual([]);
    release();
    await writes;
    expect(announced).toEqual([8, 7]);
  });

  it('tell a write that another gateway reported from one made here', async () => {
    const positions = new WrittenPositions();
    await positions.wrote('a', 8);
    expect(positions.isReportedBeyond('a', undefined)).toBe(false);
    positions.receive({ tokenId: 'a', position: 3 });
    expect(positions.isReportedBeyond('a', undefined)).toBe(true);
    expect(positions.isReportedBeyond('a', 3)).toBe(false);
    expect(positions.isReportedBeyond('b', undefined)).toBe(false);
  });
});
