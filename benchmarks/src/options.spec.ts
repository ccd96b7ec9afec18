import { describe, expect, it } from '@jest/globals';
import { BENCHMARKS } from './benchmarks.js';
import { helpText, listText, parseOptions, UsageError } from './options.js';

describe('the command line of a benchmark run', () => {
  it('without a name runs every benchmark but those that need the network', () => {
    const offline = BENCHMARKS.filter(({ name }) => !['peers', 'cluster'].includes(name));
    expect(parseOptions([])).toMatchObject({ shows: undefined, benchmarks: offline, datasets: [] });
    expect(parseOptions(['--write-baseline']).benchmarks).toEqual(offline);
  });

  it('runs the named benchmarks, in running order', () => {
    expect(parseOptions(['peers', 'store']).benchmarks.map(({ name }) => name)).toEqual(['store', 'peers']);
    const { benchmarks, chunks, datasets } = parseOptions(['quality', 'search', '--chunks', '9', '--dataset', 'a']);
    expect([benchmarks.map(({ name }) => name), chunks, datasets]).toEqual([['search', 'quality'], 9, ['a']]);
  });

  it('marks the benchmarks that run only when named', () => {
    const marked = listText()
      .split('\n')
      .filter((line) => line.endsWith('(only when named)'));
    expect(marked.map((line) => line.split(' ')[0])).toEqual(['peers', 'cluster']);
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
