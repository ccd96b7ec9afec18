import type { LinkGraph } from './link-graph.js';

export const DAMPING = 0.85;
export const TOLERANCE = 1e-6;
export const ITERATIONS_MAX = 200;

export interface Ranking {
  /** By node: the stationary distribution, which adds up to 1. */
  readonly scores: Float64Array;
  readonly iter: number;
  readonly converged: boolean;
  readonly timedOut: boolean;
}

/**
 * The share that each node passes to a neighbour per unit of weight. A node without weight passes everything to the
 * anchors.
 */
const sharesOf = ({ ids, offsets, weights }: LinkGraph): Float64Array => {
  const shares = new Float64Array(ids.length);
  for (let n = 0; n < ids.length; n++) {
    let sum = 0;
    for (let at = offsets[n]!; at < offsets[n + 1]!; at++) sum += weights[at]!;
    shares[n] = sum === 0 ? 0 : 1 / sum;
  }
  return shares;
};

/** One step of the walk from `x` into `to`; returns the distance between the two (L1). */
const step = (
  graph: LinkGraph,
  shares: Float64Array,
  start: Float64Array,
  x: Float64Array,
  to: Float64Array,
): number => {
  const { offsets, targets, weights } = graph;
  let dangling = 0;
  for (let n = 0; n < x.length; n++) if (shares[n] === 0) dangling += x[n]!;
  let distance = 0;
  for (let n = 0; n < x.length; n++) {
    let given = 0;
    for (let at = offsets[n]!; at < offsets[n + 1]!; at++) {
      const from = targets[at]!;
      given += weights[at]! * shares[from]! * x[from]!;
    }
    to[n] = DAMPING * (given + dangling * start[n]!) + (1 - DAMPING) * start[n]!;
    distance += Math.abs(to[n]! - x[n]!);
  }
  return distance;
};

const startOf = (graph: LinkGraph, anchors: readonly string[]): Float64Array => {
  const start = new Float64Array(graph.ids.length);
  const unique = new Set(anchors);
  for (const id of unique) start[graph.indexOf.get(id)!] = 1 / unique.size;
  return start;
};

/**
 * Personalised PageRank: x' = 0.85·(Pᵀx + dangling·s) + 0.15·s, where P is the graph normalised by row and s is uniform
 * over the anchors. Equal to `networkx.pagerank(g, alpha=0.85, personalization=s, dangling=s, weight='weight')`.
 */
export const pageRank = (
  graph: LinkGraph,
  anchors: readonly string[],
  isLate: () => boolean = () => false,
): Ranking => {
  const start = startOf(graph, anchors);
  const shares = sharesOf(graph);
  let [x, next] = [start.slice(), new Float64Array(start.length)];
  for (let iter = 1; iter <= ITERATIONS_MAX; iter++) {
    const distance = step(graph, shares, start, x, next);
    [x, next] = [next, x];
    if (distance < TOLERANCE) return { scores: x, iter, converged: true, timedOut: false };
    if (isLate()) return { scores: x, iter, converged: false, timedOut: true };
  }
  return { scores: x, iter: ITERATIONS_MAX, converged: false, timedOut: false };
};
