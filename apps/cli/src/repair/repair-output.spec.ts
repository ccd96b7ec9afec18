import { describe, expect, it } from '@jest/globals';
import { progressPrinter } from './progress.js';
import { repairLines } from './repair-output.js';
import type { RepairPlan, RepairReport } from './repair.js';

const plan: RepairPlan = {
  head: 40,
  equalUpTo: 10,
  ops: 28,
  erased: 2,
  forgettings: 1,
  keyOwners: 12,
  vectors: 30,
};
const done: RepairReport['done'] = {
  forgettings: 1,
  keys: { restored: 11, destroyed: 1, secrets: 'restored' },
  vectors: 30,
  findings: [],
};

describe('the report of a repair', () => {
  it('says in a dry run what would be written', () => {
    expect(repairLines({ plan })).toEqual([
      'the archive is complete up to 40; the stream OPLOG has it up to 10',
      'would write 28 ops and leave 2 positions empty, as forgettings say',
      'would check 1 forgetting, the keys of 12 owners and 30 vectors, and write those that are missing',
    ]);
  });

  it('says what was written, what is lost, and that the log is whole', () => {
    const lines = repairLines({ plan, done });
    expect(lines).toContain('wrote 28 ops and left 2 positions empty, as forgettings say');
    expect(lines).toContain('wrote 1 forgetting, 11 records of keys, 1 mark of destroyed keys, 30 vectors');
    expect(lines.join('\n')).toContain('not restored: ops that were acknowledged');
    expect(lines.join('\n')).not.toContain('secrets');
    expect(lines.at(-1)).toMatch(/^repaired: /);
  });

  it('names lost secrets, and every difference up to a limit', () => {
    const findings = Array.from({ length: 22 }, (_, i) => ({ position: i + 1, problem: 'differs' }));
    const lines = repairLines({ plan, done: { ...done, keys: { ...done.keys, secrets: 'lost' }, findings } });
    expect(lines.join('\n')).toContain('the secrets of the installation had no copy');
    expect(lines.slice(-3)).toEqual(['position 20: differs', 'and 2 more', '22 differences found']);
  });
});

describe('the progress of a repair', () => {
  it('is printed when a step begins and when it ends', () => {
    const lines: string[] = [];
    const report = progressPrinter((line) => void lines.push(line));
    for (const step of ['archive', 'op-log']) for (let i = 1; i <= 100; i++) report(step, i, 100);
    expect(lines.map((line) => line.replace(/,.*/, ''))).toEqual([
      'archive: position 1 of 100 (1 %)',
      'archive: position 100 of 100 (100 %)',
      'op-log: position 1 of 100 (1 %)',
      'op-log: position 100 of 100 (100 %)',
    ]);
  });
});
