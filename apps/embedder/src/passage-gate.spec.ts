import { describe, expect, it } from '@jest/globals';
import { PassageGate } from './passage-gate.js';

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

const TURN = { keys: ['workspace'], size: 1 };

/** Passages that stay inside the gate until they are released. */
const crowd = (gate: PassageGate, count: number) => {
  const inside: (() => void)[] = [];
  const passed = Array.from({ length: count }, () =>
    gate.pass(TURN, () => new Promise<void>((resolve) => inside.push(resolve))),
  );
  return { inside, passed };
};

describe('the gate before the model', () => {
  it('lets in a few at a time, and one more for each that leaves', async () => {
    const { inside, passed } = crowd(new PassageGate(4), 6);
    await turnOfTheLoop();
    expect(inside).toHaveLength(4);
    inside[0]!();
    await passed[0];
    await turnOfTheLoop();
    expect(inside).toHaveLength(5);
    inside.slice(1).forEach((leave) => leave());
    await passed[4];
    await turnOfTheLoop();
    inside.at(-1)!();
    await Promise.all(passed);
  });

  it('lets the next passage in after a failure', async () => {
    const gate = new PassageGate(4);
    const failing = Array.from({ length: 4 }, () => gate.pass(TURN, () => Promise.reject(new Error('no model'))));
    const next = gate.pass(TURN, () => Promise.resolve('in'));
    await Promise.allSettled(failing);
    expect(await next).toBe('in');
  });

  it('stays shut while a caller waits for an answer', async () => {
    let busy = true;
    const gate = new PassageGate(4, () => busy);
    let entered = false;
    const passing = gate.pass(TURN, () => Promise.resolve((entered = true)));
    await turnOfTheLoop();
    expect(entered).toBe(false);
    busy = false;
    await passing;
    expect(entered).toBe(true);
  });

  it('yields for a limited time only', async () => {
    const gate = new PassageGate(4, () => true);
    const started = performance.now();
    await gate.pass(TURN, () => Promise.resolve());
    expect(performance.now() - started).toBeGreaterThan(450);
  });

  it('rejects waiting passages once it is closed', async () => {
    const gate = new PassageGate(4, () => true);
    const passing = Array.from({ length: 6 }, () => gate.pass(TURN, () => Promise.resolve('in')));
    gate.close();
    for (const outcome of await Promise.allSettled(passing))
      expect(outcome).toMatchObject({ reason: { code: 'embedder.unavailable' } });
  });

  it('lets in a short item of another workspace before the rest of a long one', async () => {
    const gate = new PassageGate(4);
    const order: string[] = [];
    const pass = (name: string, workspace: string, size: number) =>
      gate.pass({ keys: [workspace], size }, () => Promise.resolve(order.push(name)));
    const long = Array.from({ length: 51 }, (_, i) => pass(`long ${i}`, 'a', 51));
    await Promise.all([pass('short', 'b', 1), pass('shorter than the long one', 'a', 2)]);
    expect(order.length).toBeLessThan(10);
    await Promise.all(long);
  });
});
