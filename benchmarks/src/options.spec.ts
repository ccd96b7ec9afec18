import { describe, expect, it } from '@jest/globals';
import { BENCHMARKS } from './benchmarks.js';
import { helpText, parseOptions, UsageError } from './options.js';

describe('the command line of a benchmark run', () => {
  it('without a name runs every benchmark', () => {
    expect(parseOptions([])).toMatchObject({ shows: undefined, benchmarks: BENCHMARKS, datasets: [] });
    const { benchmarks, chunks, datasets } = parseOptions(['quality', 'search', '--chunks', '9', '--dataset', 'a']);
    expect([benchmarks.map(({ name }) => name), chunks, datasets]).toEqual([['search', 'quality'], 9, ['a']]);
  });

  it.each([['--help'], ['-h']])('lists every benchmark and option with %s', (option) => {
    expect(parseOptions([option]).shows).toBe('help');
    for (const { name, about } of BENCHMARKS)
      expect(helpText()).toMatch(new RegExp(`^  ${name} +${about.slice(0, 10)}`, 'm'));
    for (const name of ['--chunks', '--dataset', '--against', '--write-baseline', '--list', '--help']) {
      expect(helpText()).toMatch(new RegExp(`^  .*${name} `, 'm'));
    }
  });

  it.each([[['nothing']], [['--chunks', '0']], [['--colour']], [['--dataset']], [['--against', '/nowhere']]])(
    'refuses %j',
    (args) => {
      expect(() => parseOptions(args)).toThrow(UsageError);
    },
  );
});
