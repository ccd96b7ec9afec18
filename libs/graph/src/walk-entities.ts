import type { EntityClass } from './merge-classes.js';

/** An edge between two names, combined from several chunks that state it. The best evidence comes first. */
export interface HopEdge<E> {
  readonly subjectKey: string;
  readonly predicate: string;
  readonly objectKey: string;
  readonly confidence: number;
  readonly evidence: readonly E[];
  readonly evidenceCount: number;
}

/** The number of edges that filters left out of a hop. */
export interface Dropped {
  readonly confidence: number;
  readonly sourceKind: number;
}

export interface Hop<E> {
  /** The most certain first; of several entities, the best edge of each, then the second best of each. */
  readonly edges: readonly HopEdge<E>[];
  readonly dropped: Dropped;
  /** Whether a cap left out edges. */
  readonly isCut: boolean;
}

/** The source of a walk's edges: only those that the reader may see. */
export interface EdgeSource<E> {
  classesOf(keys: readonly string[]): Promise<ReadonlyMap<string, EntityClass>>;
  /** The edges at these entities, in both directions: at most `edgesMax` in all. */
  hop(entities: readonly EntityClass[], edgesMax: number): Promise<Hop<E>>;
}

export interface WalkLimits {
  readonly depth: number;
  readonly nodesMax: number;
  readonly edgesMax: number;
  /** The number of chunks shown as evidence of an edge. */
  readonly evidenceMax: number;
}

export interface ReachedNode {
  readonly entity: EntityClass;
  readonly hop: number;
}

/** From and to are the preferred names of the two entities. */
export interface ReachedEdge<E> {
  readonly from: string;
  readonly to: string;
  readonly predicate: string;
  readonly confidence: number;
  readonly hop: number;
  readonly evidence: readonly E[];
  readonly evidenceCount: number;
}

export interface Walk<E> {
  readonly nodes: readonly ReachedNode[];
  readonly edges: readonly ReachedEdge<E>[];
  readonly truncated: boolean;
  readonly dropped: Dropped;
}

/** The state of one walk. */
class Walker<E> {
  readonly nodes = new Map<string, ReachedNode>();
  readonly edges = new Map<string, ReachedEdge<E>>();
  truncated = false;
  dropped: Dropped = { confidence: 0, sourceKind: 0 };

  constructor(
    start: EntityClass,
    private readonly source: EdgeSource<E>,
    private readonly limits: WalkLimits,
  ) {
    this.nodes.set(start.key, { entity: start, hop: 0 });
  }

  /** The entities that this hop reached first. */
  async step(frontier: readonly EntityClass[], hop: number): Promise<readonly EntityClass[]> {
    // One more than can be shown: the walk is then truncated.
    const { edges, dropped, isCut } = await this.source.hop(frontier, this.limits.edgesMax + 1);
    const { confidence, sourceKind } = this.dropped;
    this.dropped = { confidence: confidence + dropped.confidence, sourceKind: sourceKind + dropped.sourceKind };
    this.truncated ||= isCut;
    const ends = edges.flatMap(({ subjectKey, objectKey }) => [subjectKey, objectKey]);
    const classes = await this.source.classesOf([...new Set(ends)]);
    return edges.flatMap((edge) => this.take(edge, classes, hop));
  }

  private take(edge: HopEdge<E>, classes: ReadonlyMap<string, EntityClass>, hop: number): EntityClass[] {
    const [from, to] = [classes.get(edge.subjectKey)!, classes.get(edge.objectKey)!];
    // Two names of one entity have no relation to each other.
    if (from === to || from.key === to.key) return [];
    const id = JSON.stringify([from.key, edge.predicate, to.key]);
    const known = this.edges.get(id);
    if (known) {
      if (known.hop === hop) this.edges.set(id, this.joined(known, edge));
      return [];
    }
    const reached = [from, to].filter(({ key }) => !this.nodes.has(key));
    if (this.edges.size >= this.limits.edgesMax || this.nodes.size + reached.length > this.limits.nodesMax) {
      this.truncated = true;
      return [];
    }
    for (const entity of reached) this.nodes.set(entity.key, { entity, hop });
    const { predicate, confidence, evidence, evidenceCount } = edge;
    this.edges.set(id, { from: from.key, to: to.key, predicate, confidence, hop, evidence, evidenceCount });
    return reached;
  }

  /** The same edge under another name of one of its ends. */
  private joined(known: ReachedEdge<E>, { confidence, evidence, evidenceCount }: HopEdge<E>): ReachedEdge<E> {
    return {
      ...known,
      confidence: Math.max(known.confidence, confidence),
      evidence: [...known.evidence, ...evidence].slice(0, this.limits.evidenceMax),
      evidenceCount: known.evidenceCount + evidenceCount,
    };
  }
}

/** Walks edges from one entity, nearest first, in both directions, as far as depth and caps allow. */
export const walkEntities = async <E>(
  start: EntityClass,
  source: EdgeSource<E>,
  limits: WalkLimits,
): Promise<Walk<E>> => {
  const walker = new Walker(start, source, limits);
  let frontier: readonly EntityClass[] = [start];
  for (let hop = 1; hop <= limits.depth && frontier.length > 0; hop++) frontier = await walker.step(frontier, hop);
  const { nodes, edges, truncated, dropped } = walker;
  return { nodes: [...nodes.values()], edges: [...edges.values()], truncated, dropped };
};
