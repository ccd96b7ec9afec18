/** A link between two memories in a walk: undirected, with the direction kept for the answer. */
export interface WalkLink {
  readonly from: string;
  readonly to: string;
  readonly type: string;
  /** 0 to 1, two decimals. */
  readonly confidence: number;
}

/**
 * The links of a walk as typed arrays. Nodes are numbered in the order of their ids, and weights are whole hundredths, so
 * their sums are exact: the graph does not depend on the order in which its links were found.
 */
export interface LinkGraph {
  readonly ids: readonly string[];
  readonly indexOf: ReadonlyMap<string, number>;
  /** The neighbours of node n are `targets[offsets[n]]` to `targets[offsets[n + 1] - 1]`, in the order of their ids. */
  readonly offsets: Int32Array;
  readonly targets: Int32Array;
  /** For each neighbour: the sum of the confidences of all links between the two, in hundredths. */
  readonly weights: Float64Array;
  /** For each neighbour: the best confidence of a link between the two. */
  readonly best: Float64Array;
}

interface Pair {
  readonly a: number;
  readonly b: number;
  weight: number;
  best: number;
}

const byId = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

const pairsOf = (links: readonly WalkLink[], indexOf: ReadonlyMap<string, number>): Pair[] => {
  const pairs = new Map<number, Pair>();
  for (const { from, to, confidence } of links) {
    const [x, y] = [indexOf.get(from)!, indexOf.get(to)!];
    if (x === y) continue;
    const [a, b] = x < y ? [x, y] : [y, x];
    const key = a * indexOf.size + b;
    const hundredths = Math.round(confidence * 100);
    const pair = pairs.get(key);
    if (!pair) pairs.set(key, { a, b, weight: hundredths, best: hundredths / 100 });
    else {
      pair.weight += hundredths;
      pair.best = Math.max(pair.best, hundredths / 100);
    }
  }
  return [...pairs.values()].sort((p, q) => p.a - q.a || p.b - q.b);
};

const offsetsOf = (pairs: readonly Pair[], count: number): Int32Array => {
  const offsets = new Int32Array(count + 1);
  for (const { a, b } of pairs) {
    offsets[a + 1]!++;
    offsets[b + 1]!++;
  }
  for (let n = 0; n < count; n++) offsets[n + 1]! += offsets[n]!;
  return offsets;
};

/** `alone` are nodes that belong to the graph even without links. */
export const linkGraph = (links: readonly WalkLink[], alone: readonly string[] = []): LinkGraph => {
  const ids = [...new Set([...alone, ...links.flatMap(({ from, to }) => [from, to])])].sort(byId);
  const indexOf = new Map(ids.map((id, n) => [id, n]));
  const pairs = pairsOf(links, indexOf);
  const offsets = offsetsOf(pairs, ids.length);
  const next = offsets.slice();
  const targets = new Int32Array(2 * pairs.length);
  const weights = new Float64Array(2 * pairs.length);
  const best = new Float64Array(2 * pairs.length);
  // Pairs are sorted by their smaller end, then by the larger one, so the neighbours of each node are in order.
  const put = (node: number, target: number, pair: Pair): void => {
    const at = next[node]!++;
    targets[at] = target;
    weights[at] = pair.weight;
    best[at] = pair.best;
  };
  for (const pair of [...pairs].sort((p, q) => p.b - q.b || p.a - q.a)) put(pair.b, pair.a, pair);
  for (const pair of pairs) put(pair.a, pair.b, pair);
  return { ids, indexOf, offsets, targets, weights, best };
};
