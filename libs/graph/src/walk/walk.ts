import { hopsFrom, type Hops } from './hops.js';
import { linkGraph, type LinkGraph, type WalkLink } from './link-graph.js';
import { pageRank } from './page-rank.js';

export const WALK_MODES = ['pagerank', 'shortest_path', 'neighbours'] as const;
export type WalkMode = (typeof WALK_MODES)[number];

/** Links shown for each memory of an answer. */
const VIA_MAX = 3;

export interface WalkRequest {
  readonly mode: WalkMode;
  readonly anchors: readonly string[];
  readonly limit: number;
  /** Whether more links were found than are walked. A rank over a part would be meaningless, so hops decide. */
  readonly isCut?: boolean;
  /** Checked between two iterations. */
  readonly isLate?: () => boolean;
}

export interface Via {
  readonly from: string;
  readonly type: string;
  readonly confidence: number;
}

export interface Walked {
  readonly id: string;
  readonly score: number;
  readonly hop: number;
  readonly via: readonly Via[];
}

export interface WalkTrace {
  readonly mode: WalkMode;
  readonly iter: number;
  readonly converged: boolean;
  readonly timed_out?: true;
  readonly fallback?: 'bfs';
  readonly nodes: number;
  readonly links: number;
}

export interface WalkResult {
  readonly memories: readonly Walked[];
  readonly trace: WalkTrace;
}

/** The links that lead to a node from one of these, best first. */
const viaOf = (links: readonly WalkLink[], to: string, isFrom: (id: string) => boolean): Via[] =>
  links
    .flatMap((link) =>
      link.to === to ? [{ ...link, other: link.from }] : link.from === to ? [{ ...link, other: link.to }] : [],
    )
    .filter(({ other }) => isFrom(other))
    .map(({ other, type, confidence }) => ({ from: other, type, confidence }))
    .sort((a, b) => b.confidence - a.confidence || (a.from + a.type < b.from + b.type ? -1 : 1))
    .slice(0, VIA_MAX);

/** The links of each memory, so that an answer with few memories does not scan all links for each. */
const linksByEnd = (links: readonly WalkLink[], ids: readonly string[]): ReadonlyMap<string, WalkLink[]> => {
  const found = new Map(ids.map((id) => [id, [] as WalkLink[]]));
  for (const link of links) {
    found.get(link.from)?.push(link);
    found.get(link.to)?.push(link);
  }
  return found;
};

/** The memories at these nodes, in this order, each with the links to it from nearer ones. */
const memoriesAt = (
  nodes: readonly number[],
  graph: LinkGraph,
  { hop }: Hops,
  scores: Float64Array,
  links: readonly WalkLink[],
): Walked[] => {
  const ends = linksByEnd(
    links,
    nodes.map((node) => graph.ids[node]!),
  );
  return nodes.map((node) => {
    const id = graph.ids[node]!;
    const isNearer = (other: string): boolean => hop[graph.indexOf.get(other)!] === hop[node]! - 1;
    return { id, score: scores[node]!, hop: hop[node]!, via: viaOf(ends.get(id)!, id, isNearer) };
  });
};

const nodesBy = (graph: LinkGraph, { hop }: Hops, compare: (a: number, b: number) => number): number[] =>
  // Nodes are numbered in the order of their ids, which breaks ties.
  [...graph.ids.keys()].filter((node) => hop[node] !== -1).sort((a, b) => compare(a, b) || a - b);

/** Nearest first, then by the product of confidences. */
const byHops = (graph: LinkGraph, hops: Hops): number[] =>
  nodesBy(graph, hops, (a, b) => hops.hop[a]! - hops.hop[b]! || hops.product[b]! - hops.product[a]!);

const pathTo = (graph: LinkGraph, { before, hop }: Hops, target: string): number[] => {
  const end = graph.indexOf.get(target)!;
  if (hop[end] === -1) return [];
  const path: number[] = [];
  for (let node = end; node !== -1; node = before[node]!) path.unshift(node);
  return path;
};

const shortestPath = (graph: LinkGraph, links: readonly WalkLink[], [from, to]: readonly string[]): Walked[] => {
  const hops = hopsFrom(graph, [from!]);
  const path = pathTo(graph, hops, to!);
  const ends = linksByEnd(
    links,
    path.map((node) => graph.ids[node]!),
  );
  return path.map((node, i) => {
    const id = graph.ids[node]!;
    const previous = graph.ids[path[i - 1] ?? -1];
    const via = viaOf(ends.get(id)!, id, (other) => other === previous).slice(0, 1);
    return { id, score: hops.product[node]!, hop: i, via };
  });
};

const BY_HOPS = { iter: 0, converged: true } as const;

/** Ranks the memories of a walk. The order of the links does not matter. */
export const walk = (links: readonly WalkLink[], request: WalkRequest): WalkResult => {
  const { mode, anchors, limit, isCut = false, isLate } = request;
  const graph = linkGraph(links, anchors);
  const size = { nodes: graph.ids.length, links: links.length };
  const cut = isCut ? { converged: false, fallback: 'bfs' as const } : {};
  if (mode === 'shortest_path')
    return { memories: shortestPath(graph, links, anchors), trace: { mode, ...BY_HOPS, ...cut, ...size } };
  const hops = hopsFrom(graph, anchors);
  const top = (nodes: readonly number[], scores: Float64Array): Walked[] =>
    memoriesAt(nodes.slice(0, limit), graph, hops, scores, links);
  if (mode === 'neighbours' || isCut)
    return { memories: top(byHops(graph, hops), hops.product), trace: { mode, ...BY_HOPS, ...cut, ...size } };
  const { scores, iter, converged, timedOut } = pageRank(graph, anchors, isLate);
  const ranked = nodesBy(graph, hops, (a, b) => scores[b]! - scores[a]!);
  const late = timedOut ? { timed_out: true as const } : {};
  return { memories: top(ranked, scores), trace: { mode, iter, converged, ...late, ...size } };
};
