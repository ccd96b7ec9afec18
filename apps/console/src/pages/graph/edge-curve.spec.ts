import { describe, expect, it } from '@jest/globals';
import { curveBetween, LABEL_HEIGHT, pointAt, trimmed } from './edge-curve.js';

const node = (x: number, y: number) => ({ x, y, radius: 10, labelWidth: 60 });

describe('the line of an edge', () => {
  it('begins and ends outside the two circles', () => {
    const [left, right] = [node(0, 0), node(200, 0)];
    const [from, , to] = trimmed(curveBetween(left, right, 0), left, right, 4);
    expect(from.x).toBeGreaterThan(10);
    expect(to.x).toBeLessThanOrEqual(186.1);
    expect(to.x).toBeGreaterThan(150);
  });

  it('ends below the label of a node that it reaches from below, so its arrow is visible', () => {
    const [below, above] = [node(0, 200), node(0, 0)];
    const [, , to] = trimmed(curveBetween(below, above, 0), below, above, 4);
    expect(to.y).toBeGreaterThanOrEqual(10 + LABEL_HEIGHT + 4);
  });

  it('keeps a visible part between nodes that touch', () => {
    const [left, right] = [node(0, 0), node(15, 0)];
    const [from, , to] = trimmed(curveBetween(left, right, 0), left, right, 4);
    expect(to.x).toBeGreaterThan(from.x);
  });

  it('is a part of the whole curve', () => {
    const [left, right] = [node(0, 0), node(200, 0)];
    const whole = curveBetween(left, right, 40);
    const part = trimmed(whole, left, right, 4);
    expect(pointAt(part, 0.5).y).toBeCloseTo(pointAt(whole, 0.5).y, 0);
  });
});
