import {
  MENTIONS_READ_MAX,
  type EntityRef,
  type EntityType,
  type EntityView,
  type Placed,
  type Tier,
} from '@cairn/contracts';
import type { EntityClass } from '@cairn/graph';
import type { QueryResultRow } from 'pg';
import { graphRows, type GraphContext } from './graph-context.js';

interface EntityRow extends QueryResultRow {
  readonly class: number;
  readonly name: string;
  readonly type: EntityType;
  readonly mentions: number;
  readonly position: string;
  readonly created_at: Date;
  readonly chunk_id: string;
  readonly item_id: string;
  readonly folder_id: string;
  readonly tier: Tier;
  readonly start: number | null;
  readonly stop: number | null;
}

/** An entity in the reader's view, with its newest mention. */
export interface SeenEntity extends EntityRef, Placed {
  readonly entity: EntityClass;
  readonly mentions: number;
  readonly lastSeen: string;
  readonly position: number;
  readonly example: {
    readonly chunkId: string;
    readonly itemId: string;
    readonly start: number | null;
    readonly stop: number | null;
  };
}

const seenEntity = ({ reader, entityId }: GraphContext, entity: EntityClass, row: EntityRow): SeenEntity => ({
  entity,
  id: entityId(entity.key),
  name: row.name,
  type: row.type,
  mentions: row.mentions,
  lastSeen: row.created_at.toISOString(),
  position: Number(row.position),
  folderId: row.folder_id,
  placement: { workspaceId: reader.workspaceId, tier: row.tier },
  example: { chunkId: row.chunk_id, itemId: row.item_id, start: row.start, stop: row.stop },
});

/**
 * Keyed by preferred key. An entity without a mention that the reader may see is missing. `mentions` counts at most
 * `mentionsMax` mentions of each name; with 0 nothing is counted.
 */
export const seenEntities = async (
  context: GraphContext,
  classes: readonly EntityClass[],
  mentionsMax = MENTIONS_READ_MAX,
): Promise<ReadonlyMap<string, SeenEntity>> => {
  if (classes.length === 0) return new Map();
  const names = classes.flatMap(({ key: own, keys }, i) => keys.map((key) => ({ key, class: i, named: key === own })));
  const rows = await graphRows<EntityRow>(context, 'graph_entities', [
    names.map(({ key }) => key),
    names.map((name) => name.class),
    names.map(({ named }) => named),
    mentionsMax,
  ]);
  const entries = rows.map((row) => [classes[row.class]!, row] as const);
  return new Map(entries.map(([entity, row]) => [entity.key, seenEntity(context, entity, row)]));
};

/** The forms of the other names of these entities, keyed by preferred key. */
export const aliasesOf = async (
  context: GraphContext,
  classes: readonly EntityClass[],
): Promise<ReadonlyMap<string, readonly string[]>> => {
  const others = classes.flatMap(({ keys }) => keys.slice(1)).map((key) => ({ key, keys: [key] }));
  const seen = await seenEntities(context, others, 0);
  return new Map(classes.map(({ key, keys }) => [key, keys.slice(1).flatMap((alias) => seen.get(alias)?.name ?? [])]));
};

export const refOf = ({ id, name, type, folderId, placement }: SeenEntity): EntityRef & Placed => ({
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
