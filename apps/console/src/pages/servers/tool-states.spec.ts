import { describe, expect, it } from '@jest/globals';
import { approvalOf, toApprove, toolSummary } from './tool-states.js';

const tool = (name: string, state: 'listed' | 'withheld' | 'waiting') => ({ name, listedAs: `s__${name}`, state });

describe('the tools of a server', () => {
  it('are counted by each state that occurs', () => {
    expect(toolSummary([])).toBe('no tools known');
    expect(toolSummary([tool('a', 'listed')])).toBe('1 tool offered');
    expect(toolSummary([tool('a', 'listed'), tool('b', 'withheld'), tool('c', 'waiting'), tool('d', 'waiting')])).toBe(
      '1 tool offered, 1 withheld, 2 waiting for approval',
    );
  });

  it('need approval unless agents are offered them', () => {
    const tools = [tool('a', 'listed'), tool('b', 'withheld'), tool('c', 'waiting')];
    expect(toApprove(tools).map(({ name }) => name)).toEqual(['b', 'c']);
  });

  it('approves what was read, by its hash', () => {
    const read = [
      { name: 'a', hash: '1' },
      { name: 'b', hash: '2' },
    ];
    expect(approvalOf(read)).toEqual({ tools: ['a', 'b'], hashes: ['1', '2'] });
  });
});
