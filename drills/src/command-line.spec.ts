import { describe, expect, it } from '@jest/globals';
import { listText, parseCommand, positive, UsageError } from './command-line.js';
import type { Drill } from './drill.js';

const drill: Drill = {
  name: 'rehearsal',
  about: 'Tries something.',
  options: { rounds: { type: 'string', default: '3' } },
  run: () => Promise.resolve({ figures: {}, broken: [] }),
};

describe('the command line of the drills', () => {
  it('lists each drill with its options and their defaults', () => {
    expect(parseCommand(['--list'], [drill])).toEqual({ shows: 'list' });
    expect(listText([drill])).toBe('rehearsal [--rounds 3]\n    Tries something.');
  });

  it('finds a drill and reads its options', () => {
    expect(parseCommand(['rehearsal'], [drill])).toEqual({ drill, values: { rounds: '3' } });
    expect(parseCommand(['rehearsal', '--rounds', '5'], [drill])).toEqual({ drill, values: { rounds: '5' } });
  });

  it.each([[[]], [['another']], [['rehearsal', '--unknown']], [['rehearsal', 'extra']]])('rejects %j', (args) => {
    expect(() => parseCommand(args, [drill])).toThrow(UsageError);
  });

  it('rejects a value that is not a positive number', () => {
    for (const rounds of ['0', '-1', 'many', ''])
      expect(() => positive({ rounds }, 'rounds')).toThrow('--rounds must be a positive number');
    expect(positive({ rounds: '2.5' }, 'rounds')).toBe(2.5);
  });
});
