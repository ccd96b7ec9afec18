import {
  EDGE_SOURCE_KINDS,
  GRAPH_EDGES_PER_NODE_MAX,
  SNIPPET_CHARS,
  type EntityCandidate,
  type EntityHints,
  type QueryData,
} from '@cairn/contracts';
import { byRank, candidateScore, entityKey, type EntityClass, type RankedCandidate } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { loadWinners } from '../winners.js';
import { aliasesOf, namedEntities, seenEntities, viewOfEntity, type SeenEntity } from './entity-views.js';
import { postgresEdges } from './edge-hops.js';
import { graphRows, type GraphContext } from './graph-context.js';
import { findClasses, type FoundClass } from './matched-names.js';
import { folderNamesOf } from './placements.js';
import { snippetAt } from './snippet-at.js';

const NEIGHBOURS_SHOWN_MAX = 5;
/** How many mentions of a name are read to find its folders. */
const FOLDERS_READ_MAX = 200;

/** The neighbouring entities, keyed by preferred key, the most certain first. */
const neighboursOf = async (
  context: GraphContext,
  entities: readonly EntityClass[],
): Promise<ReadonlyMap<string, readonly EntityClass[]>> => {
  const source = postgresEdges(context, { minConfidence: 0, sourceKinds: EDGE_SOURCE_KINDS });
  const { edges } = await source.hop(entities, entities.length * GRAPH_EDGES_PER_NODE_MAX);
  const classes = await source.classesOf([
    ...new Set(edges.flatMap(({ subjectKey, objectKey }) => [subjectKey, objectKey])),
  ]);
  const around = new Map<string, Map<string, EntityClass>>();
  const connect = (at: EntityClass, other: EntityClass): void => {
    if (at.key !== other.key)
      around.set(at.key, (around.get(at.key) ?? new Map<string, EntityClass>()).set(other.key, other));
  };
  for (const { subjectKey, objectKey } of edges) {
    const [subject, object] = [classes.get(subjectKey)!, classes.get(objectKey)!];
    connect(subject, object);
    connect(object, subject);
  }
  return new Map(entities.map(({ key }) => [key, [...(around.get(key)?.values() ?? [])]]));
};

/** The names of the closest neighbours, keyed by preferred key. */
const neighbourNames = async (
  context: GraphContext,
  best: readonly { readonly key: string }[],
  neighbours: ReadonlyMap<string, readonly EntityClass[]>,
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const near = new Map(best.map(({ key }) => [key, (neighbours.get(key) ?? []).slice(0, NEIGHBOURS_SHOWN_MAX)]));
  const named = await namedEntities(context, [
    ...new Map([...near.values()].flat().map((entity) => [entity.key, entity])).values(),
  ]);
  return new Map([...near].map(([key, others]) => [key, others.flatMap((other) => named.get(other.key)?.name ?? [])]));
};

/** The share of hints that fit, 0..1. A folder that the reader may not see fits nothing. */
const hintsFit = (
  { type, near = [], folderId }: EntityHints,
  seen: SeenEntity,
  neighbours: readonly EntityClass[],
  folders: ReadonlySet<string>,
): number => {
  const around = new Set(neighbours.flatMap(({ keys }) => keys));
  const fits = [
    ...(type === undefined ? [] : [seen.type === type]),
    ...near.map((name) => around.has(entityKey(name) ?? '')),
    ...(folderId === undefined ? [] : [folders.has(folderId)]),
  ];
  return fits.length === 0 ? 0 : fits.filter(Boolean).length / fits.length;
};

interface FolderRow extends QueryResultRow {
  readonly class: number;
  readonly folder_id: string;
}

/** The folders in which an entity is mentioned, keyed by preferred key, those of its newest mentions first. */
const foldersOf = async (
  context: GraphContext,
  entities: readonly EntityClass[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const names = entities.flatMap(({ keys }, i) => keys.map((key) => ({ key, class: i })));
  const rows = await graphRows<FolderRow>(context, 'graph_folders', [
    names.map(({ key }) => key),
    names.map((name) => name.class),
    FOLDERS_READ_MAX,
  ]);
  const folders = new Map<string, string[]>(entities.map(({ key }) => [key, []]));
  for (const row of rows) folders.get(entities[row.class]!.key)!.push(row.folder_id);
  return folders;
};

/** The details that distinguish entities of the same name. */
interface Surroundings {
  readonly neighbours: ReadonlyMap<string, readonly EntityClass[]>;
  readonly folders: ReadonlyMap<string, readonly string[]>;
}

const surroundingsOf = async (context: GraphContext, entities: readonly EntityClass[]): Promise<Surroundings> => {
  const [neighbours, folders] = await Promise.all([neighboursOf(context, entities), foldersOf(context, entities)]);
  return { neighbours, folders };
};

interface Ranked extends RankedCandidate {
  readonly shown: SeenEntity;
  readonly entity: EntityClass;
}

interface Ranking {
  readonly best: readonly Ranked[];
  readonly surroundings: Surroundings;
}

const NOTHING_AROUND: Surroundings = { neighbours: new Map(), folders: new Map() };

/** The best candidates. The surroundings of all candidates are read only if there are hints about them. */
const rankedOf = async (
  context: GraphContext,
  found: readonly FoundClass[],
  hints: EntityHints,
  limit: number,
): Promise<Ranking> => {
  const entities = found.map(({ entity }) => entity);
  const isPlaced = hints.near !== undefined || hints.folderId !== undefined;
  const [seen, around] = await Promise.all([
    seenEntities(context, entities),
    isPlaced ? surroundingsOf(context, entities) : undefined,
  ]);
  const { neighbours, folders } = around ?? NOTHING_AROUND;
  const best = found
    .flatMap(({ entity, match }) => {
      const shown = seen.get(entity.key);
      if (!shown) return [];
      const fit = hintsFit(hints, shown, neighbours.get(entity.key) ?? [], new Set(folders.get(entity.key)));
      return [{ shown, entity, match, hints: fit, mentions: shown.mentions, key: entity.key }];
    })
    .toSorted(byRank)
    .slice(0, limit);
  if (around || best.length === 0) return { best, surroundings: around ?? NOTHING_AROUND };
  const shown = best.map(({ entity }) => entity);
  return { best, surroundings: await surroundingsOf(context, shown) };
};

/** Candidates for a name, with the details that distinguish them. All counts cover only what the reader may see. */
export const findEntities = async (
  context: GraphContext,
  { text, hints = {}, limit }: Omit<QueryData<'entities.find'>, 'surface'>,
): Promise<EntityCandidate[]> => {
  const found = await findClasses(context, text);
  if (found.length === 0) return [];
  const { best, surroundings } = await rankedOf(context, found, hints, limit);
  const { neighbours, folders } = surroundings;
  const chunkIds = best.map(({ shown }) => shown.example.chunkId);
  const [aliases, near, names, texts] = await Promise.all([
    aliasesOf(
      context,
      best.map(({ entity }) => entity),
    ),
    neighbourNames(context, best, neighbours),
    folderNamesOf(
      context,
      best.flatMap(({ key }) => folders.get(key) ?? []),
    ),
    context.inTurn(() => loadWinners(context.pool, context.vault, context.reader, chunkIds)),
  ]);
  return best.map((candidate) => {
    const { shown, key, match } = candidate;
    const { chunkId, itemId, start } = shown.example;
    return {
      ...viewOfEntity(shown, aliases.get(key) ?? []),
      match,
      score: candidateScore(candidate),
      folders: (folders.get(key) ?? []).flatMap((id) => names.get(id) ?? []),
      neighbours: near.get(key) ?? [],
      example: { itemId, snippet: snippetAt(texts.get(chunkId)?.text ?? '', start ?? 0, SNIPPET_CHARS) },
    };
  });
};
