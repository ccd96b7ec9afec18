import type { LinkGraph } from './link-graph.js';

export interface Hops {
  /** By node: the number of links from the nearest anchor; -1 if the node is not reached. */
  readonly hop: Int32Array;
  /** By node: the largest product of confidences over the shortest paths. */
  readonly product: Float64Array;
  /** By node: the previous node on that path; -1 for an anchor and for a node that is not reached. */
  readonly before: Int32Array;
}

/** Breadth first. Of two equally good paths, the one through the smaller id counts. */
export const hopsFrom = (graph: LinkGraph, anchors: readonly string[]): Hops => {
  const { ids, indexOf, offsets, targets, best } = graph;
  const hop = new Int32Array(ids.length).fill(-1);
  const product = new Float64Array(ids.length);
  const before = new Int32Array(ids.length).fill(-1);
  let frontier = [...new Set(anchors)].map((id) => indexOf.get(id)!).sort((a, b) => a - b);
  for (const node of frontier) [hop[node], product[node]] = [0, 1];
  for (let distance = 1; frontier.length > 0; distance++) {
    const reached: number[] = [];
    for (const node of frontier)
      for (let at = offsets[node]!; at < offsets[node + 1]!; at++) {
        const target = targets[at]!;
        if (hop[target] === -1) {
          hop[target] = distance;
          reached.push(target);
        } else if (hop[target] !== distance) continue;
        const found = product[node]! * best[at]!;
        if (before[target] !== -1 && found <= product[target]!) continue;
        [product[target], before[target]] = [found, node];
      }
    frontier = reached.sort((a, b) => a - b);
  }
  return { hop, product, before };
};
