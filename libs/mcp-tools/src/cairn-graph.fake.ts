import { readerOf, type Reader } from '@cairn/access';
import {
  EDGE_SOURCE_KINDS,
  EVIDENCE_SHOWN_MAX,
  GRAPH_EDGES_MAX,
  GRAPH_EDGES_PER_NODE_MAX,
  GRAPH_NODES_MAX,
  MENTIONS_NAMING_MAX,
  SNIPPET_CHARS,
  cutAtWord,
  type CandidateMatch,
  type CommandData,
  type CommandResult,
  type EdgeSourceKind,
  type EntityCandidates,
  type EntityRef,
  type EventData,
  type GraphOrigin,
  type GraphWalk,
  type NewEdge,
  type ObservedEdge,
  type ObservedFindings,
  type ObservedMention,
  type QueryAnswer,
  type QueryData,
} from '@cairn/contracts';
import { originOf, stateEdges, type ItemState, type SealedFindings } from '@cairn/domain';
import {
  byRank,
  candidateScore,
  entityClasses,
  entityKey,
  misspelt,
  nameEntity,
  walkEntities,
  type EdgeSource,
  type EntityClass,
  type Hop,
  type HopEdge,
  type NameMerge,
} from '@cairn/graph';
import { uuidV7 } from '@cairn/kernel';
import type { InMemoryWorkspace } from './cairn-workspace.fake.js';

/** The statements about one chunk. */
interface Statement {
  readonly itemId: string;
  readonly chunkId: string;
  readonly textHash: string;
  readonly findings: ObservedFindings;
  readonly position: number;
}

/** The graph of a workspace in memory: only callers' statements, since no text is read here. */
export class InMemoryGraph {
  private readonly statements: Statement[] = [];
  private readonly ids = new Map<string, string>();

  observed({ itemId, chunkId, textHash, findings }: EventData<'edge.observed'>): void {
    const position = this.statements.length + 1;
    this.statements.push({ itemId, chunkId, textHash, findings: JSON.parse(findings) as ObservedFindings, position });
  }

  /** The same id for the same thing, for the lifetime of the workspace. */
  idOf(...parts: readonly string[]): string {
    const key = JSON.stringify(parts);
    const id = this.ids.get(key) ?? uuidV7();
    this.ids.set(key, id);
    return id;
  }

  /** A statement is valid while the text of its chunk is unchanged. */
  visible(items: readonly ItemState[]): (Statement & { readonly item: ItemState; readonly text: string })[] {
    const byId = new Map(
      items.filter(({ inKb, supersededById }) => inKb && supersededById === null).map((item) => [item.id, item]),
    );
    return this.statements.flatMap((statement) => {
      const item = byId.get(statement.itemId);
      const chunk = item?.chunks?.find(({ chunkId }) => chunkId === statement.chunkId);
      return item && chunk?.textHash === statement.textHash ? [{ ...statement, item, text: chunk.text }] : [];
    });
  }
}

type Visible = ReturnType<InMemoryGraph['visible']>[number];

const keyOf = (name: string): string => entityKey(name)!;

/** Seals nothing: the findings are JSON, and a text is its own hash. */
export const stateInChunks = (
  edges: readonly NewEdge[],
  chunks: readonly { readonly chunkId: string; readonly text: string; readonly textHash: string }[],
  origin: GraphOrigin,
  field?: string,
): SealedFindings[] =>
  stateEdges(edges, chunks, origin, field).map(({ chunkId, findings }) => ({
    chunkId,
    textHash: chunks.find((chunk) => chunk.chunkId === chunkId)!.textHash,
    findings: JSON.stringify(findings),
  }));

/** The answer to edges that were stated in these chunks. */
export const statedAnswer = (
  graph: InMemoryGraph,
  { edges }: Pick<CommandData<'edge.observe'>, 'edges'>,
  itemId: string,
  parts: readonly SealedFindings[],
  position: number,
): CommandResult<'edge.observe'> => ({
  itemId,
  chunkId: parts[0]!.chunkId,
  edgeIds: edges.map(({ subject, predicate, object }) => graph.idOf('edge', keyOf(subject), predicate, keyOf(object))),
  position,
});

export { originOf };

interface Context {
  readonly workspace: InMemoryWorkspace;
  readonly principal: Parameters<typeof readerOf>[0];
}

const mentionsOf = (seen: readonly Visible[]): (ObservedMention & { readonly key: string; readonly at: Visible })[] =>
  seen.flatMap((at) => at.findings.mentions.map((mention) => ({ ...mention, key: keyOf(mention.name), at })));

interface Seen extends EntityRef {
  readonly entity: EntityClass;
  readonly mentions: number;
  readonly at: Visible;
  readonly folderIds: readonly string[];
}

const seenEntity = (graph: InMemoryGraph, seen: readonly Visible[], entity: EntityClass): Seen | undefined => {
  const own = mentionsOf(seen).filter(({ key }) => entity.keys.includes(key));
  const newest = own.at(-1);
  if (!newest) return undefined;
  const naming = entity.keys.flatMap((name) => own.filter(({ key }) => key === name).slice(-MENTIONS_NAMING_MAX));
  return {
    entity,
    id: graph.idOf('entity', entity.key),
    ...nameEntity(
      naming.map(({ name: surface, key, type, typeConfidence, at: { position } }) => ({
        surface,
        isOwnName: key === entity.key,
        type,
        typeConfidence,
        position,
      })),
    ),
    mentions: new Set(own.map(({ at }) => at.chunkId)).size,
    at: newest.at,
    folderIds: [...new Set(own.map(({ at }) => at.item.folderId))],
  };
};

interface Filter {
  readonly minConfidence: number;
  readonly sourceKinds: readonly EdgeSourceKind[];
}

type Evidence = { readonly edge: ObservedEdge; readonly at: Visible };

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b));

const byCertainty = (a: HopEdge<Evidence>, b: HopEdge<Evidence>): number =>
  b.confidence - a.confidence ||
  b.evidenceCount - a.evidenceCount ||
  compare(a.subjectKey, b.subjectKey) ||
  compare(a.predicate, b.predicate) ||
  compare(a.objectKey, b.objectKey);

const hopOf = (
  seen: readonly Visible[],
  entities: readonly EntityClass[],
  edgesMax: number,
  filter: Filter,
): Hop<Evidence> => {
  const keys = new Set(entities.flatMap((entity) => entity.keys));
  const groups = new Map<string, Evidence[]>();
  for (const at of seen)
    for (const edge of at.findings.edges) {
      const ends = [keyOf(edge.subject), keyOf(edge.object)] as const;
      if (edge.negated || !ends.some((key) => keys.has(key))) continue;
      const id = JSON.stringify([ends[0], edge.predicate, ends[1]]);
      groups.set(id, [...(groups.get(id) ?? []), { edge, at }]);
    }
  const dropped = { confidence: 0, sourceKind: 0 };
  const edges = [...groups].flatMap(([id, all]): HopEdge<Evidence>[] => {
    const evidence = all
      .filter(({ edge }) => filter.sourceKinds.includes(edge.sourceKind))
      .toSorted((a, b) => b.edge.confidence - a.edge.confidence)
      .filter(({ at }, i, sorted) => sorted.findIndex((other) => other.at.chunkId === at.chunkId) === i);
    const [subjectKey, predicate, objectKey] = JSON.parse(id) as [string, string, string];
    const confidence = evidence[0]?.edge.confidence;
    if (confidence === undefined) dropped.sourceKind++;
    else if (confidence < filter.minConfidence) dropped.confidence++;
    if (confidence === undefined || confidence < filter.minConfidence) return [];
    return [{ subjectKey, predicate, objectKey, confidence, evidence, evidenceCount: evidence.length }];
  });
  const classOf = ({ subjectKey, objectKey }: HopEdge<Evidence>): EntityClass =>
    entities.find((entity) => entity.keys.includes(subjectKey)) ??
    entities.find((one) => one.keys.includes(objectKey))!;
  const ranks = new Map<EntityClass, number>();
  const ranked = edges.toSorted(byCertainty).map((edge) => {
    const entity = classOf(edge);
    const rank = (ranks.get(entity) ?? 0) + 1;
    ranks.set(entity, rank);
    return { edge, rank };
  });
  const shown = ranked
    .filter(({ rank }) => rank <= GRAPH_EDGES_PER_NODE_MAX)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, edgesMax)
    .map(({ edge }) => edge);
  return { edges: shown, dropped, isCut: shown.length < edges.length };
};

const sourceOn = (seen: readonly Visible[], merges: readonly NameMerge[], filter: Filter): EdgeSource<Evidence> => ({
  classesOf: (keys) => Promise.resolve(entityClasses(keys, merges)),
  hop: (entities, edgesMax) => Promise.resolve(hopOf(seen, entities, edgesMax, filter)),
});

const visibleTo = ({ workspace }: Context, reader: Reader): Visible[] =>
  workspace.graph.visible(workspace.visibleItems({ ...reader, kbOnly: true }));

/** The keys of names that the reader may see. */
export const visibleKeys = (context: Context, reader: Reader): ReadonlySet<string> =>
  new Set(mentionsOf(visibleTo(context, reader)).map(({ key }) => key));

const refOf = ({ id, name, type, at }: Seen) => ({ id, name, type, folderId: at.item.folderId });

const NOTHING = { nodes: [], edges: [], truncated: false, dropped: { confidence: 0, sourceKind: 0 }, stale: false };

export const walkGraph = async (context: Context, query: QueryData<'graph.walk'>): Promise<GraphWalk> => {
  const { graph } = context.workspace;
  const reader = readerOf(context.principal, query.surface);
  const seen = visibleTo(context, reader);
  const all = [...new Set(mentionsOf(seen).map(({ key }) => key))];
  const key = all.find((one) => graph.idOf('entity', one) === query.entity) ?? entityKey(query.entity);
  const start = key === undefined ? undefined : seenEntity(graph, seen, { key, keys: [key] });
  if (!start) {
    const candidates = candidatesOf(graph, seen, query.entity).slice(0, 5);
    return { entity: null, candidates: candidates.map(({ shown }) => refOf(shown)), ...NOTHING };
  }
  const { depth, minConfidence, sourceKinds } = query;
  const limits = {
    depth,
    nodesMax: GRAPH_NODES_MAX,
    edgesMax: GRAPH_EDGES_MAX,
    evidenceMax: EVIDENCE_SHOWN_MAX,
  };
  const walk = await walkEntities(start.entity, sourceOn(seen, [], { minConfidence, sourceKinds }), limits);
  const shown = new Map(walk.nodes.map(({ entity }) => [entity.key, seenEntity(graph, seen, entity)!]));
  return {
    entity: refOf(start),
    nodes: walk.nodes.map(({ entity, hop }) => ({ ...refOf(shown.get(entity.key)!), hop })),
    edges: walk.edges.map(({ from, to, predicate, confidence, hop, evidence, evidenceCount }) => ({
      id: graph.idOf('edge', from, predicate, to),
      from: shown.get(from)!.id,
      to: shown.get(to)!.id,
      predicate,
      confidence,
      sourceKind: evidence[0]!.edge.sourceKind,
      reviewed: null,
      hop,
      evidence: evidence.slice(0, EVIDENCE_SHOWN_MAX).map(({ at }) => ({
        folderId: at.item.folderId,
        itemId: at.itemId,
        chunkId: at.chunkId,
        position: at.position,
      })),
      evidenceCount,
    })),
    truncated: walk.truncated,
    dropped: walk.dropped,
    stale: false,
  };
};

const matchOf = (asked: string, key: string): CandidateMatch | undefined => {
  const [askedWords, words] = [asked.split(' '), key.split(' ')];
  if (key === asked) return 'exact';
  if (askedWords.every((word) => words.includes(word))) return 'word';
  if (askedWords.every((word) => words.some((own) => own.startsWith(word)))) return 'prefix';
  return misspelt(asked, [key]).length > 0 ? 'spelling' : undefined;
};

const candidatesOf = (graph: InMemoryGraph, seen: readonly Visible[], text: string) => {
  const asked = entityKey(text);
  if (asked === undefined) return [];
  const keys = [...new Set(mentionsOf(seen).map(({ key }) => key))];
  return keys.flatMap((key) => {
    const match = matchOf(asked, key);
    const shown = match && seenEntity(graph, seen, { key, keys: [key] });
    return match && shown ? [{ key, match, shown, mentions: shown.mentions, hints: 0 }] : [];
  });
};

export const findEntities = (context: Context, query: QueryData<'entities.find'>): EntityCandidates => {
  const { text, hints = {}, limit, surface } = query;
  const { graph, folders } = context.workspace;
  const seen = visibleTo(context, readerOf(context.principal, surface));
  const around = (key: string): string[] => {
    const filter = { minConfidence: 0, sourceKinds: EDGE_SOURCE_KINDS };
    const { edges } = hopOf(seen, [{ key, keys: [key] }], GRAPH_EDGES_MAX, filter);
    return [...new Set(edges.flatMap(({ subjectKey, objectKey }) => [subjectKey, objectKey]))].filter(
      (one) => one !== key,
    );
  };
  const ranked = candidatesOf(graph, seen, text)
    .map((candidate) => {
      const near = around(candidate.key);
      const fits = [
        ...(hints.type === undefined ? [] : [candidate.shown.type === hints.type]),
        ...(hints.near ?? []).map((name) => near.includes(entityKey(name) ?? '')),
        ...(hints.folderId === undefined ? [] : [candidate.shown.folderIds.includes(hints.folderId)]),
      ];
      return { ...candidate, near, hints: fits.length === 0 ? 0 : fits.filter(Boolean).length / fits.length };
    })
    .toSorted(byRank)
    .slice(0, limit);
  return {
    candidates: ranked.map((candidate) => ({
      ...refOf(candidate.shown),
      aliases: [],
      mentions: candidate.mentions,
      lastSeen: context.workspace.items.get(candidate.shown.at.itemId)!.createdAt,
      match: candidate.match,
      score: candidateScore(candidate),
      folders: candidate.shown.folderIds.map((id) => folders.get(id)!.name),
      neighbours: candidate.near.slice(0, 5).map((key) => seenEntity(graph, seen, { key, keys: [key] })!.name),
      example: { itemId: candidate.shown.at.itemId, snippet: cutAtWord(candidate.shown.at.text.trim(), SNIPPET_CHARS) },
    })),
    stale: false,
  };
};

export const itemMentions = (
  context: Context,
  { itemId, surface }: QueryData<'item.mentions'>,
): QueryAnswer<'item.mentions'> => {
  const { graph } = context.workspace;
  const seen = visibleTo(context, readerOf(context.principal, surface));
  const own = mentionsOf(seen.filter((at) => at.itemId === itemId));
  const keys = [...new Set(own.map(({ key }) => key))];
  return {
    mentions: keys.map((key) => {
      const { id: entityId, name, type, at } = seenEntity(graph, seen, { key, keys: [key] })!;
      return { entityId, name, type, folderId: at.item.folderId };
    }),
  };
};
