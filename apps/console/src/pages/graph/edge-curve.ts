import type { Point } from './graph-layout.js';

/** A quadratic curve: from, control point, to. */
export type Curve = readonly [Point, Point, Point];

/** The area that a line must not cross: the circle of a node and its label below. */
export interface Obstacle extends Point {
  readonly radius: number;
  readonly labelWidth: number;
}

export const LABEL_HEIGHT = 18;

const STEP = 0.01;
/** A line always keeps its middle, however close its two nodes are. */
const TRIM_MAX = 0.42;

/** The blossom of the curve: for `s` = `t` the point at `t`, otherwise the control point of the part between them. */
const blossom = ([a, b, c]: Curve, s: number, t: number): Point => {
  const [first, second, third] = [(1 - s) * (1 - t), s * (1 - t) + t * (1 - s), s * t];
  return { x: first * a.x + second * b.x + third * c.x, y: first * a.y + second * b.y + third * c.y };
};

export const pointAt = (curve: Curve, t: number): Point => blossom(curve, t, t);

/** Runs through both centres, bent to the side by `bend`. */
export const curveBetween = (from: Point, to: Point, bend: number): Curve => {
  const [dx, dy] = [to.x - from.x, to.y - from.y];
  const length = Math.max(Math.hypot(dx, dy), 1);
  const control = {
    x: (from.x + to.x) / 2 - (dy / length) * bend,
    y: (from.y + to.y) / 2 + (dx / length) * bend,
  };
  return [from, control, to];
};

const covers = ({ x, y, radius, labelWidth }: Obstacle, point: Point, gap: number): boolean =>
  Math.hypot(point.x - x, point.y - y) < radius + gap ||
  (Math.abs(point.x - x) < labelWidth / 2 + gap && point.y > y && point.y < y + radius + LABEL_HEIGHT + gap);

/** The share of the curve that the node at one of its ends covers. */
const coveredShare = (node: Obstacle, gap: number, at: (share: number) => Point): number => {
  let share = 0;
  while (share < TRIM_MAX && covers(node, at(share), gap)) share += STEP;
  return share;
};

/** The visible part of a curve between its two nodes, so no arrow lies under a label. */
export const trimmed = (curve: Curve, from: Obstacle, to: Obstacle, gap: number): Curve => {
  const begin = coveredShare(from, 1, (share) => pointAt(curve, share));
  const end = 1 - coveredShare(to, gap, (share) => pointAt(curve, 1 - share));
  return [pointAt(curve, begin), blossom(curve, begin, end), pointAt(curve, end)];
};
