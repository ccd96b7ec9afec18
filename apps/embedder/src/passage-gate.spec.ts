import { describe, expect, it } from '@jest/globals';
import { PassageGate } from './passage-gate.js';

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

/** Passages that stay inside until they are let out. */
const crowd = (gate: PassageGate, count: number) => {
  const inside: (() => void)[] = [];
  const passed = Array.from({ length: count }, () =>
    gate.pass(() => new Promise<void>((resolve) => inside.push(resolve))),
  );
  return { inside, passed };
};

describe('the gate before the model', () => {
  it('lets in few at once, and one more for each that leaves', async () => {
    const { inside, passed } = crowd(new PassageGate(), 6);
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

  it('lets the next one in when one has failed', async () => {
    const gate = new PassageGate();
    const failing = Array.from({ length: 4 }, () => gate.pass(() => Promise.reject(new Error('no model'))));
    const next = gate.pass(() => Promise.resolve('in'));
    await Promise.allSettled(failing);
    expect(await next).toBe('in');
  });

  it('stays shut while somebody waits for an answer', async () => {
    let busy = true;
    const gate = new PassageGate(() => busy);
    let entered = false;
    const passing = gate.pass(() => Promise.resolve((entered = true)));
    await turnOfTheLoop();
    expect(entered).toBe(false);
    busy = false;
    await passing;
    expect(entered).toBe(true);
  });

  it('makes way for a while only', async () => {
    const gate = new PassageGate(() => true);
    const started = performance.now();
    await gate.pass(() => Promise.resolve());
    expect(performance.now() - started).toBeGreaterThan(450);
  });

  it('keeps nobody waiting once it is closed', async () => {
    const gate = new PassageGate(() => true);
    const passing = gate.pass(() => Promise.resolve('in'));
    gate.close();
    expect(await passing).toBe('in');
  });
});
