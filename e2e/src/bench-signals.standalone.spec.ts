import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { RunInfo } from '@cairn/testing';

const BENCH = fileURLToPath(new URL('../../benchmarks/dist/main.js', import.meta.url));

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('an interrupted benchmark run', () => {
  let dir: string;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'cairn-bench-signals-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  /** The run file of the forget benchmark's own product, as soon as it is up. */
  const runFile = (): string | undefined =>
    readdirSync(dir)
      .map((name) => join(dir, name, 'forget', 'run.json'))
      .find((file) => existsSync(file));

  it('also stops the product of the current benchmark', async () => {
    const bench = spawn(process.execPath, [BENCH, 'forget'], { env: { ...process.env, TMPDIR: dir }, stdio: 'ignore' });
    const exited = once(bench, 'exit');
    while (runFile() === undefined) {
      expect(bench.exitCode).toBeNull();
      await delay(50);
    }
    const { pid, childPids } = JSON.parse(readFileSync(runFile()!, 'utf8')) as RunInfo;
    bench.kill('SIGTERM');
    expect(await exited).toEqual([1, null]);
    expect([pid, childPids.nats, childPids.postgres].filter(isAlive)).toEqual([]);
    expect(readdirSync(dir)).toEqual([]);
  }, 180_000);
});
