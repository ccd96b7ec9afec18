import { describe, expect, it } from '@jest/globals';
import { FairGate } from './fair-gate.js';

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

/** Tasks that run until they are ended by name. */
const tasksIn = (gate: FairGate) => {
  const started: string[] = [];
  const ends = new Map<string, (error?: Error) => void>();
  const start = (name: string, keys: string[], size = 1) =>
    gate.run({ keys, size }, () => {
      started.push(name);
      return new Promise<string>((resolve, reject) =>
        ends.set(name, (error) => (error ? reject(error) : resolve(name))),
      );
    });
  return { started, start, end: (name: string, error?: Error) => (ends.get(name)!(error), turnOfTheLoop()) };
};

describe('a fair gate', () => {
  it('runs a few tasks at once, and starts the next one in turn when one ends', async () => {
    const gate = new FairGate(2);
    const { started, start, end } = tasksIn(gate);
    const tasks = [
      start('a1', ['a']),
      start('a2', ['a']),
      start('a3', ['a'], 9),
      start('a4', ['a']),
      start('b1', ['b']),
    ];
    await turnOfTheLoop();
    expect([started, gate.isFull, gate.waitingCount(), gate.waitingCount(['b'])]).toEqual([['a1', 'a2'], true, 3, 1]);
    for (const name of ['a2', 'a1', 'a4', 'b1', 'a3']) await end(name);
    expect(started).toEqual(['a1', 'a2', 'a4', 'b1', 'a3']);
    expect(await Promise.all(tasks)).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
    expect([gate.isFull, gate.waitingCount()]).toEqual([false, 0]);
  });

  it('keeps room for a later caller when no caller may take every place', async () => {
    const gate = new FairGate(3, [3, 2]);
    const { started, start, end } = tasksIn(gate);
    const tasks = [start('a1', ['w', 'a']), start('a2', ['w', 'a']), start('a3', ['w', 'a']), start('b1', ['w', 'b'])];
    await turnOfTheLoop();
    expect(started).toEqual(['a1', 'a2', 'b1']);
    await end('b1');
    expect(started).toHaveLength(3);
    for (const name of ['a1', 'a2', 'a3']) await end(name);
    expect(await Promise.all(tasks)).toEqual(['a1', 'a2', 'a3', 'b1']);
    expect(started.at(-1)).toBe('a3');
  });

  it('keeps room for another workspace when the tokens of one workspace may not take every place together', async () => {
    const { started, start, end } = tasksIn(new FairGate(3, [2, 1]));
    const tasks = [start('a1', ['w', 'a']), start('b1', ['w', 'b']), start('c1', ['w', 'c']), start('x1', ['x', 'x'])];
    await turnOfTheLoop();
    expect(started).toEqual(['a1', 'b1', 'x1']);
    await end('x1');
    expect(started).toHaveLength(3);
    for (const name of ['b1', 'a1', 'c1']) await end(name);
    expect(await Promise.all(tasks)).toEqual(['a1', 'b1', 'c1', 'x1']);
    expect(started.at(-1)).toBe('c1');
  });

  it('runs the next task after one fails', async () => {
    const { start, end } = tasksIn(new FairGate(1));
    const [failing, next] = [start('failing', ['a']), start('next', ['a'])];
    await turnOfTheLoop();
    await Promise.all([expect(failing).rejects.toThrow('no'), end('failing', new Error('no'))]);
    await end('next');
    expect(await next).toBe('next');
  });
});
