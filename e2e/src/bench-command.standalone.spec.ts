import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

const BENCH = fileURLToPath(new URL('../../benchmarks/dist/main.js', import.meta.url));

const bench = (...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BENCH, ...args], { encoding: 'utf8' });
  return { status, stdout, stderr };
};

describe('the command of the benchmarks', () => {
  let dir: string;

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'cairn-bench-command-'));
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it('prints its options when asked for help, and runs nothing', () => {
    const { status, stdout, stderr } = bench('--help');
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^ {2}quality +nDCG@10[^]*--dataset <folder>/m);
  });

  it('rejects a judged set with one line that names file and line, before anything is started', () => {
    const corpus = join(dir, 'corpus.jsonl');
    const refused = (line: string) => ({ status: 2, stdout: '', stderr: `bench: ${line}\n` });
    expect(bench('quality', '--dataset', dir)).toEqual(refused(`${corpus} is missing`));
    writeFileSync(corpus, '{"_id":"a","text":"x"}\n{"_id":"a","text":"y"}\n');
    const twice = `${corpus}, line 2: the _id a stands in line 1 already`;
    expect(bench('quality', '--dataset', dir)).toEqual(refused(twice));
  });
});
