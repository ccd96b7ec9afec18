import {
  MENTIONS_READ_MAX,
  type EntityRef,
  type EntityType,
  type EntityView,
  type Placed,
  type Tier,
} from '@cairn/contracts';
import { nameEntity, type EntityClass } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { graphRows, type GraphContext } from './graph-context.js';

interface MentionRow extends QueryResultRow {
  readonly key: string;
  readonly surface: string;
  readonly type: EntityType;
  readonly type_confidence: number;
  readonly position: string;
  readonly chunk_id: string;
  readonly item_id: string;
  readonly start: number | null;
  readonly folder_id: string;
  readonly tier: Tier;
}

/** An entity by the name that the reader knows it by, with its newest mention. */
export interface NamedEntity extends EntityRef, Placed {
  readonly entity: EntityClass;
  readonly position: number;
  readonly example: { readonly chunkId: string; readonly itemId: string; readonly start: number | null };
}

/** An entity in the reader's view. */
export interface SeenEntity extends NamedEntity {
  readonly mentions: number;
  readonly lastSeen: string;
}

/** Newest first; in one op, a mention with a place in the text precedes others. */
const byAge = (a: MentionRow, b: MentionRow): number =>
  Number(b.position) - Number(a.position) ||
  Number(a.start === null) - Number(b.start === null) ||
  (a.chunk_id < b.chunk_id ? -1 : Number(a.chunk_id > b.chunk_id)) ||
  (a.start ?? 0) - (b.start ?? 0);

const namedEntity = (
  { reader: { workspaceId }, entityId }: GraphContext,
  entity: EntityClass,
  mentions: readonly MentionRow[],
): NamedEntity => {
  const newest = mentions.reduce((best, other) => (byAge(other, best) < 0 ? other : best));
  const naming = mentions.map(({ key, surface, type, type_confidence: typeConfidence, position }) => ({
    surface,
    isOwnName: key === entity.key,
    type,
    typeConfidence,
    position: Number(position),
  }));
  return {
    entity,
    id: entityId(entity.key),
    ...nameEntity(naming),
    position: Number(newest.position),
    folderId: newest.folder_id,
    placement: { workspaceId, tier: newest.tier },
    example: { chunkId: newest.chunk_id, itemId: newest.item_id, start: newest.start },
  };
};

/** Keyed by preferred key. An entity without a mention that the reader may see is missing. */
export const namedEntities = async (
  context: GraphContext,
  classes: readonly EntityClass[],
): Promise<ReadonlyMap<string, NamedEntity>> => {
  if (classes.length === 0) return new Map();
  const keys = classes.flatMap((entity) => entity.keys);
  const newest = new Map<string, MentionRow[]>(keys.map((key) => [key, []]));
  for (const row of await graphRows<MentionRow>(context, 'graph_newest_mentions', [keys]))
    newest.get(row.key)!.push(row);
  return new Map(
    classes.flatMap((entity) => {
      const mentions = entity.keys.flatMap((key) => newest.get(key)!);
      return mentions.length === 0 ? [] : [[entity.key, namedEntity(context, entity, mentions)] as const];
    }),
  );
};

interface CountRow extends QueryResultRow {
  readonly class: number;
  readonly mentions: number;
  /** Null if the item was forgotten in the meantime. */
  readonly created_at: Date | null;
}

/** Like `namedEntities`, with the number of mentions and the date of the newest one. */
export const seenEntities = async (
  context: GraphContext,
  classes: readonly EntityClass[],
): Promise<ReadonlyMap<string, SeenEntity>> => {
  const named = [...(await namedEntities(context, classes)).values()];
  if (named.length === 0) return new Map();
  const names = named.flatMap(({ entity: { keys } }, i) => keys.map((key) => ({ key, class: i })));
  const rows = await graphRows<CountRow>(context, 'graph_mention_counts', [
    names.map(({ key }) => key),
    names.map((name) => name.class),
    named.map(({ example }) => example.itemId),
    MENTIONS_READ_MAX,
  ]);
  return new Map(
    rows.flatMap(({ class: index, mentions, created_at: createdAt }) => {
      const entity = named[index]!;
      return createdAt
        ? [[entity.entity.key, { ...entity, mentions, lastSeen: createdAt.toISOString() }] as const]
        : [];
    }),
  );
};

/** The forms of the other names of these entities, keyed by preferred key. */
export const aliasesOf = async (
  context: GraphContext,
  classes: readonly EntityClass[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const others = classes.flatMap(({ keys }) => keys.slice(1)).map((key) => ({ key, keys: [key] }));
  const named = await namedEntities(context, others);
  return new Map(classes.map(({ key, keys }) => [key, keys.slice(1).flatMap((alias) => named.get(alias)?.name ?? [])]));
};

export const refOf = ({ id, name, type, folderId, placement }: NamedEntity): EntityRef & Placed => ({
  id,
  name,
  type,
  folderId,
  ...(placement && { placement }),
});

export const viewOfEntity = (seen: SeenEntity, aliases: readonly string[]): EntityView & Placed => ({
  ...refOf(seen),
  aliases,
  mentions: seen.mentions,
  lastSeen: seen.lastSeen,
});
