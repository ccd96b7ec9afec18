import { applyForces } from './graph-forces.js';

/** The layout's input for a node: its distance from the start, and its size including the label. */
export interface LayoutNode {
  readonly id: string;
  readonly hop: number;
  readonly width: number;
  readonly height: number;
}

export interface LayoutEdge {
  readonly from: string;
  readonly to: string;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const RELAX_STEPS = 240;
const RING_POWER = 0.7;
const STRETCH_MAX = 1.8;
/** A few nodes stay together in the middle; with about eight or more, the whole picture is used. */
const [FEW_SHARE, FULL_FROM] = [0.58, 20];
/** 0 keeps the positions that the forces produced; 1 makes all distances on an axis equal. */
const EVENNESS = 0.5;
const TURN = 2 * Math.PI;
/** The first node is placed above the start, to its left: two nodes then lie diagonally, where labels have room. */
const FIRST_ANGLE = (-5 * Math.PI) / 6;

/**
 * The parent of each node: the one through which it was reached first. Undefined for the start and for unconnected
 * nodes.
 */
const parentsOf = (nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Map<string, string> => {
  const hops = new Map(nodes.map(({ id, hop }) => [id, hop]));
  const parents = new Map<string, string>();
  const adopt = (child: string, parent: string): void => {
    const [below, above] = [hops.get(child), hops.get(parent)];
    if (below !== undefined && above === below - 1 && !parents.has(child)) parents.set(child, parent);
  };
  for (const { from, to } of edges) {
    adopt(to, from);
    adopt(from, to);
  }
  return parents;
};

interface Branch {
  readonly id: string;
  readonly children: readonly Branch[];
  readonly leaves: number;
}

/** The tree of shortest paths, with the number of leaves of each branch. */
const treeOf = (nodes: readonly LayoutNode[], edges: readonly LayoutEdge[]): Branch | undefined => {
  const start = nodes.find(({ hop }) => hop === 0);
  if (!start) return undefined;
  const parents = parentsOf(nodes, edges);
  const branch = (id: string): Branch => {
    const children = nodes
      .filter((node) => node.id !== start.id && (parents.get(node.id) ?? start.id) === id)
      .map((node) => branch(node.id));
    const leaves = children.reduce((sum, child) => sum + child.leaves, 0);
    return { id, children, leaves: Math.max(leaves, 1) };
  };
  return branch(start.id);
};

/** Rings around the start, one per hop. Each branch gets an angle in proportion to its leaves. */
const seeds = (nodes: readonly LayoutNode[], edges: readonly LayoutEdge[], size: Size): Map<string, Point> => {
  const middle = { x: size.width / 2, y: size.height / 2 };
  const rings = Math.max(1, ...nodes.map(({ hop }) => hop));
  const places = new Map<string, Point>();
  const place = (branch: Branch, ring: number, from: number, to: number): void => {
    const angle = (from + to) / 2;
    // Inner rings hold more labels for their length, so they get more than an even share of the room.
    const reach = (ring / rings) ** RING_POWER;
    const [rx, ry] = [reach * middle.x * 0.82, reach * middle.y * 0.84];
    places.set(branch.id, { x: middle.x + rx * Math.cos(angle), y: middle.y + ry * Math.sin(angle) });
    let begin = from;
    for (const child of branch.children) {
      const end = begin + ((to - from) * child.leaves) / branch.leaves;
      place(child, ring + 1, begin, end);
      begin = end;
    }
  };
  const tree = treeOf(nodes, edges);
  if (tree) place(tree, 0, FIRST_ANGLE, FIRST_ANGLE + TURN);
  return places;
};

const within = (value: number, room: number, length: number): number =>
  Math.min(Math.max(value, room / 2), Math.max(length - room / 2, room / 2));

type Movable = LayoutNode & { x: number; y: number };

/** The positions on an axis of the nodes on one side of the start, if all were equally spaced. */
const evenly = (
  nodes: readonly Movable[],
  axis: 'x' | 'y',
  room: 'width' | 'height',
  size: Size,
  side: 1 | -1,
): void => {
  const middle = size[room] / 2;
  const onSide = nodes
    .filter((node) => (node[axis] - middle) * side > 0 && node.hop > 0)
    .toSorted((a, b) => (a[axis] - b[axis]) * side);
  onSide.forEach((node, i) => {
    const reach = middle - node[room] / 2;
    const even = middle + side * reach * ((i + 1) / onSide.length);
    node[axis] += (even - node[axis]) * EVENNESS;
  });
};

/** The factor that scales an axis around the start so that the outermost node just reaches the border. */
const stretchOf = (nodes: readonly Movable[], axis: 'x' | 'y', room: 'width' | 'height', size: Size): number => {
  const middle = size[room] / 2;
  const limits = nodes
    .filter((node) => Math.abs(node[axis] - middle) > 1)
    .map((node) => (middle - node[room] / 2) / Math.abs(node[axis] - middle));
  return Math.min(...limits, STRETCH_MAX);
};

/** Fits the nodes into the picture and spreads a cluster over the free room. */
const stretch = (nodes: readonly Movable[], size: Size): void => {
  const [sx, sy] = [stretchOf(nodes, 'x', 'width', size), stretchOf(nodes, 'y', 'height', size)];
  for (const node of nodes) {
    node.x = size.width / 2 + (node.x - size.width / 2) * sx;
    node.y = size.height / 2 + (node.y - size.height / 2) * sy;
  }
  for (const side of [1, -1] as const) {
    evenly(nodes, 'x', 'width', size, side);
    evenly(nodes, 'y', 'height', size, side);
  }
  const share = Math.min(1, FEW_SHARE + nodes.length / FULL_FROM);
  for (const node of nodes) {
    node.x = size.width / 2 + (node.x - size.width / 2) * share;
    node.y = size.height / 2 + (node.y - size.height / 2) * share;
  }
};

/** Moves two overlapping nodes apart along the axis that needs less movement. The start does not move. */
const separate = (a: Movable, b: Movable): void => {
  const [dx, dy] = [b.x - a.x, b.y - a.y];
  const overX = (a.width + b.width) / 2 - Math.abs(dx);
  const overY = (a.height + b.height) / 2 - Math.abs(dy);
  if (overX <= 0 || overY <= 0) return;
  const axis = overX < overY ? 'x' : 'y';
  const [over, sign] = axis === 'x' ? [overX, dx < 0 ? -1 : 1] : [overY, dy < 0 ? -1 : 1];
  const share = a.hop === 0 || b.hop === 0 ? 1 : 0.5;
  if (a.hop !== 0) a[axis] -= sign * over * share;
  if (b.hop !== 0) b[axis] += sign * over * share;
};

/**
 * Positions each node: rings around the start, then forces along the edges, then a fixed number of steps that separate
 * overlapping labels. It uses neither randomness nor a clock, so the same answer of the server always looks the same.
 */
export const layoutGraph = (
  nodes: readonly LayoutNode[],
  edges: readonly LayoutEdge[],
  size: Size,
): ReadonlyMap<string, Point> => {
  const places = seeds(nodes, edges, size);
  const placed = nodes.flatMap((node) => {
    const place = places.get(node.id);
    return place ? [{ ...node, ...place }] : [];
  });
  const pulled = applyForces(placed, edges, size);
  const moved: Movable[] = placed.map((node, i) => ({ ...node, ...pulled[i] }));
  stretch(moved, size);
  for (let step = 0; step < RELAX_STEPS; step++) {
    moved.forEach((a, i) => moved.slice(i + 1).forEach((b) => separate(a, b)));
    for (const node of moved) {
      node.x = within(node.x, node.width, size.width);
      node.y = within(node.y, node.height, size.height);
    }
  }
  return new Map(moved.map(({ id, x, y }) => [id, { x: Math.round(x * 10) / 10, y: Math.round(y * 10) / 10 }]));
};
