import type { Forgetting } from './forgettings.js';

export type Statement = readonly [sql: string, values: readonly unknown[]];

export type RowsCondition = string | ((slot: string) => string);

/** The rows that a projection in Postgres erases after a forgetting. */
export interface Erasure<T extends string = string> {
  /** The method of erasure, for the receipt. */
  readonly method: string;
  /**
   * The condition, per table, for rows that hold forgotten content, written with `FORGOTTEN`. No such row may be left
   * when the receipt is signed. It is a function if the condition reads other tables of the version.
   */
  readonly rows: Readonly<Partial<Record<T, RowsCondition>>>;
  /**
   * Erases those rows from one version of the projection, if deleting them is not enough. Repeating it does nothing.
   * Not called for the live version of an awaited projection: its handler erased the rows before the command was
   * answered.
   */
  readonly erase?: (slot: string, forgetting: Forgetting) => readonly Statement[];
}

export const conditionIn = (slot: string, condition: RowsCondition): string =>
  typeof condition === 'string' ? condition : condition(slot);

/** Parameters of the conditions. */
export const FORGOTTEN = {
  itemId: '$1::uuid',
  chunkIds: '$2::uuid[]',
  /** Whether the whole item was forgotten, and not only some of its chunks. */
  isWhole: '$3::boolean',
  /** Positions of the ops that held its content. */
  positions: '$4::bigint[]',
  workspaceId: '$5::uuid',
} as const;

export const valuesOf = (forgetting: Forgetting): readonly unknown[] => {
  const { itemId, chunkIds, sourceRemoved, erased, workspaceId } = forgetting;
  return [itemId, chunkIds, sourceRemoved, erased, workspaceId];
};

/** Declares every parameter: Postgres refuses a statement in which one has no type. */
export const GIVEN = `given as (select ${Object.values(FORGOTTEN).join(', ')})`;

/** Rows of a table that has the id of the chunk and of its item. */
export const ofItem = (chunkId = 'chunk_id'): string =>
  `(${chunkId} = any (${FORGOTTEN.chunkIds}) or (${FORGOTTEN.isWhole} and item_id = ${FORGOTTEN.itemId}))`;
