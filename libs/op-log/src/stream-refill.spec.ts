import { describe, expect, it } from '@jest/globals';
import { refillBatches, type LostMessage } from './stream-refill.js';

const message = (position: number, bytes = 1): LostMessage => ({
  position,
  subject: 'oplog.w.item',
  body: new Uint8Array(bytes),
  id: String(position),
});
const shapes = (lost: readonly LostMessage[], after: number, reached: number) =>
  [...refillBatches(lost, after, reached)].map((batch) => ({
    after: batch.after,
    positions: batch.messages.map((one) => one?.position),
  }));

describe('the batches of a refill', () => {
  it('cover every position, with placeholders where there is no message', () => {
    expect(shapes([message(4), message(6)], 2, 7)).toEqual([
      { after: 2, positions: [undefined, 4, undefined, 6, undefined] },
    ]);
  });

  it('are empty when nothing is missing', () => {
    expect(shapes([], 7, 7)).toEqual([]);
  });

  it('have at most 500 messages', () => {
    expect(shapes([], 0, 1_001).map(({ after, positions }) => [after, positions.length])).toEqual([
      [0, 500],
      [500, 500],
      [1_000, 1],
    ]);
  });

  it('have at most 4 MiB, or a single message', () => {
    const MIB = 1_048_576;
    const lost = [message(1, 2 * MIB), message(2, 2 * MIB), message(3, 1), message(4, 5 * MIB), message(5, 1)];
    expect(shapes(lost, 0, 5).map(({ positions }) => positions)).toEqual([[1, 2], [3], [4], [5]]);
  });
});
