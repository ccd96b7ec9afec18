import type { LayoutEdge, Point, Size } from './graph-layout.js';

const STEPS = 160;
/** The ideal distance of two connected nodes, as a share of the room per node. */
const LENGTH_SHARE = 0.82;
/** A weak pull to the middle keeps unconnected parts within the picture. */
const GRAVITY = 0.04;
/** The first step moves a node by at most this share of the picture, the last one by almost nothing. */
const HEAT = 0.09;

interface Body {
  readonly id: string;
  readonly hop: number;
  x: number;
  y: number;
}

interface Push {
  x: number;
  y: number;
}

/** Every node repels every other node; the closer they are, the harder. */
const repel = (bodies: readonly Body[], pushes: readonly Push[], length: number): void => {
  bodies.forEach((a, i) =>
    bodies.slice(i + 1).forEach((b, k) => {
      const [dx, dy] = [a.x - b.x || 0.01, a.y - b.y || 0.01];
      const force = length ** 2 / Math.max(dx ** 2 + dy ** 2, 1);
      const [mine, other] = [pushes[i]!, pushes[i + 1 + k]!];
      mine.x += dx * force;
      mine.y += dy * force;
      other.x -= dx * force;
      other.y -= dy * force;
    }),
  );
};

interface Pair {
  readonly ends: readonly [number, number];
  /** If both ends have many edges, each edge pulls less; otherwise all nodes would end up in one heap. */
  readonly strength: number;
}

/** An edge pulls its two ends together; the longer it is, the harder. */
const attract = (bodies: readonly Body[], pushes: readonly Push[], pairs: readonly Pair[], length: number): void => {
  for (const {
    ends: [i, k],
    strength,
  } of pairs) {
    const [a, b] = [bodies[i]!, bodies[k]!];
    const [dx, dy] = [a.x - b.x, a.y - b.y];
    const force = (Math.hypot(dx, dy) / length) * strength;
    pushes[i]!.x -= dx * force;
    pushes[i]!.y -= dy * force;
    pushes[k]!.x += dx * force;
    pushes[k]!.y += dy * force;
  }
};

const pairsOf = (bodies: readonly Body[], edges: readonly LayoutEdge[]): readonly Pair[] => {
  const places = new Map(bodies.map(({ id }, i) => [id, i]));
  const pairs = new Map<string, readonly [number, number]>();
  for (const { from, to } of edges) {
    const [i, k] = [places.get(from), places.get(to)];
    // Several edges between two nodes pull no harder than one.
    if (i !== undefined && k !== undefined && i !== k) pairs.set(`${Math.min(i, k)} ${Math.max(i, k)}`, [i, k]);
  }
  const degrees = bodies.map((_, i) => [...pairs.values()].filter((ends) => ends.includes(i)).length);
  return [...pairs.values()].map((ends) => ({ ends, strength: 1 / Math.min(...ends.map((i) => degrees[i]!)) }));
};

/**
 * Connected nodes attract and all nodes repel each other, for a fixed number of cooling steps: related nodes gather,
 * and fewer lines cross. The start stays in the middle. Distances are measured as if the picture were square.
 */
export const applyForces = (
  nodes: readonly (Point & { readonly id: string; readonly hop: number })[],
  edges: readonly LayoutEdge[],
  size: Size,
): readonly Point[] => {
  const aspect = size.width / size.height;
  const middle = { x: size.height / 2, y: size.height / 2 };
  const bodies: Body[] = nodes.map(({ id, hop, x, y }) => ({ id, hop, x: x / aspect, y }));
  const length = LENGTH_SHARE * Math.sqrt(size.height ** 2 / Math.max(nodes.length, 1));
  const pairs = pairsOf(bodies, edges);
  for (let step = 0; step < STEPS; step++) {
    const pushes = bodies.map(({ x, y }) => ({ x: (middle.x - x) * GRAVITY, y: (middle.y - y) * GRAVITY }));
    repel(bodies, pushes, length);
    attract(bodies, pushes, pairs, length);
    const heat = HEAT * size.height * (1 - step / STEPS);
    bodies.forEach((body, i) => {
      if (body.hop === 0) return;
      const { x, y } = pushes[i]!;
      const pace = Math.min(1, heat / Math.max(Math.hypot(x, y), 0.01));
      body.x += x * pace;
      body.y += y * pace;
    });
  }
  return bodies.map(({ x, y }) => ({ x: x * aspect, y }));
};
