import { describe, expect, it } from '@jest/globals';
import { Sessions } from './sessions.js';

/** Two gateways, each notified of the sessions that ended at the other. */
const replicas = (): readonly [Sessions, Sessions] => {
  const announce = async (name: string): Promise<void> => all.forEach((one) => one.ending(name));
  const all: [Sessions, Sessions] = [new Sessions(announce), new Sessions(announce)];
  return all;
};

const stream = () => {
  const closes: number[] = [];
  return { closes, close: async () => void closes.push(1) };
};

describe('sessions', () => {
  it('are known to every replica, for their own token only', () => {
    const [a, b] = replicas();
    const id = a.open('mine');
    expect([a.has(id, 'mine'), b.has(id, 'mine')]).toEqual([true, true]);
    expect([a.has(id, 'other'), b.has('unknown', 'mine')]).toEqual([false, false]);
  });

  it('are ended at every replica, and no other session with them', async () => {
    const [a, b] = replicas();
    const [ended, other] = [a.open('mine'), a.open('mine')];
    await b.end(ended);
    expect([a, b].map((one) => one.has(ended, 'mine'))).toEqual([false, false]);
    expect([a, b].map((one) => one.has(other, 'mine'))).toEqual([true, true]);
  });

  it('close their streams when they end, wherever these are open', async () => {
    const [a, b] = replicas();
    const [id, other] = [a.open('mine'), a.open('mine')];
    const [first, second, released, foreign] = [stream(), stream(), stream(), stream()];
    a.hold(id, first);
    b.hold(id, second);
    b.hold(id, released)();
    b.hold(other, foreign);
    await a.end(id);
    expect([first, second, released, foreign].map(({ closes }) => closes.length > 0)).toEqual([
      true,
      true,
      false,
      false,
    ]);
  });

  it('lose only their streams when a replica stops', () => {
    const [a, b] = replicas();
    const id = a.open('mine');
    const open = stream();
    a.hold(id, open);
    a.closeAll();
    expect(open.closes).toHaveLength(1);
    expect(b.has(id, 'mine')).toBe(true);
  });
});
