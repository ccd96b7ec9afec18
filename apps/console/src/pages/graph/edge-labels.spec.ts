import { describe, expect, it } from '@jest/globals';
import { curveBetween } from './edge-curve.js';
import { placeLabels } from './edge-labels.js';

const SIZE = { width: 400, height: 400 };
const line = (y: number) => curveBetween({ x: 10, y }, { x: 390, y }, 0);
const label = (y: number, isWanted = true) => ({ curve: line(y), text: 'works at', isWanted });

describe('the labels of edges', () => {
  it('stand in the middle of their lines where there is room', () => {
    expect(placeLabels([label(100)], [], SIZE)).toEqual([expect.objectContaining({ x: 200, y: 100 })]);
  });

  it('do not cover each other or a node', () => {
    const [first, second] = placeLabels([label(100), label(104)], [], SIZE);
    expect(Math.abs(first!.x - second!.x)).toBeGreaterThan(50);
    const wall = [80, 140, 200, 260, 320].map((x) => ({ x, y: 100, radius: 12, labelWidth: 60 }));
    expect(placeLabels([label(100)], wall, SIZE)).toEqual([undefined]);
  });

  it('are omitted when they are not wanted', () => {
    expect(placeLabels([label(100, false)], [], SIZE)).toEqual([undefined]);
  });
});
