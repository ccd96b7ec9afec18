import { describe, expect, it } from '@jest/globals';
import { nodeTowards } from './node-towards.js';

const NODES = [
  { id: 'middle', x: 100, y: 100 },
  { id: 'right', x: 180, y: 110 },
  { id: 'far right', x: 300, y: 100 },
  { id: 'above', x: 90, y: 20 },
];

describe('an arrow key in the picture', () => {
  it('moves to the nearest node in its direction', () => {
    expect(nodeTowards(NODES, 'middle', 'ArrowRight')?.id).toBe('right');
    expect(nodeTowards(NODES, 'right', 'ArrowRight')?.id).toBe('far right');
    expect(nodeTowards(NODES, 'middle', 'ArrowUp')?.id).toBe('above');
  });

  it('does not move without a node in its direction; other keys do nothing', () => {
    expect(nodeTowards(NODES, 'above', 'ArrowUp')).toBeUndefined();
    expect(nodeTowards(NODES, 'middle', 'a')).toBeUndefined();
    expect(nodeTowards(NODES, 'not there', 'ArrowUp')).toBeUndefined();
  });
});
