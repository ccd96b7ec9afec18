import type { Point } from './graph-layout.js';

const DIRECTIONS: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};

/** The penalty for a node that lies off the direction of the key. */
const ASIDE = 2;

/** The nearest node in the direction of an arrow key; undefined for other keys or if there is no node. */
export const nodeTowards = <N extends Point & { readonly id: string }>(
  nodes: readonly N[],
  fromId: string,
  key: string,
): N | undefined => {
  const direction = DIRECTIONS[key];
  const from = nodes.find(({ id }) => id === fromId);
  if (!direction || !from) return undefined;
  const far = (node: N): number => {
    const [dx, dy] = [node.x - from.x, node.y - from.y];
    const ahead = dx * direction.x + dy * direction.y;
    return ahead <= 0 ? Infinity : ahead + ASIDE * Math.abs(dx * direction.y + dy * direction.x);
  };
  const [nearest] = nodes.toSorted((a, b) => far(a) - far(b));
  return nearest && far(nearest) < Infinity ? nearest : undefined;
};
