import { LABEL_HEIGHT, pointAt, type Curve, type Obstacle } from './edge-curve.js';
import type { Point, Size } from './graph-layout.js';

export interface Labelled {
  readonly curve: Curve;
  readonly text: string;
  /** Only these edges are labelled without hovering. */
  readonly isWanted: boolean;
}

interface Box extends Point {
  readonly width: number;
  readonly height: number;
}

const CHAR_WIDTH = 6;
/** The positions along the line that are tried for a label, the middle first. */
const PLACES = [0.5, 0.42, 0.58, 0.34, 0.66];

const overlap = (a: Box, b: Box): boolean =>
  Math.abs(a.x - b.x) < (a.width + b.width) / 2 && Math.abs(a.y - b.y) < (a.height + b.height) / 2;

const boxOf = ({ x, y, radius, labelWidth }: Obstacle): Box => {
  const height = 2 * radius + LABEL_HEIGHT;
  return { x, y: y - radius + height / 2, width: Math.max(labelWidth, 2 * radius), height };
};

/** The position of each line's label, if one fits there without covering a node or another label. */
export const placeLabels = (
  lines: readonly Labelled[],
  nodes: readonly Obstacle[],
  size: Size,
): readonly (Point | undefined)[] => {
  const taken = nodes.map(boxOf);
  return lines.map(({ curve, text, isWanted }) => {
    if (!isWanted) return undefined;
    const width = text.length * CHAR_WIDTH + 8;
    const free = PLACES.map((t): Box => ({ ...pointAt(curve, t), width, height: 17 })).find(
      (box) => box.x > width / 2 && box.x < size.width - width / 2 && !taken.some((other) => overlap(box, other)),
    );
    if (free) taken.push(free);
    return free;
  });
};
