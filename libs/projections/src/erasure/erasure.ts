import type { Forgetting } from './forgettings.js';

export type Statement = readonly [sql: string, values: readonly unknown[]];

/** What a projection in Postgres erases when something is forgotten. */
export interface Erasure<T extends string = string> {
  /** How it is erased, for the receipt. */
  readonly method: string;
  /**
   * By table, the condition for the rows that hold something that was forgotten, written with `FORGOTTEN`. No such row may
   * be left when the receipt is signed.
   */
  readonly rows: Readonly<Partial<Record<T, string>>>;
  /**
   * Erases those rows from one version of the projection, where deleting them is not enough. Repeating it does nothing. Not
   * called for the live version of an awaited projection: its handler erased the rows before the command was answered.
   */
  readonly erase?: (slot: string, forgetting: Forgetting) => readonly Statement[];
}

/** Parameters of the conditions. */
export const FORGOTTEN = {
  itemId: '$1::uuid',
  chunkIds: '$2::uuid[]',
  /** Whether the whole item was forgotten, and not only some of its chunks. */
  isWhole: '$3::boolean',
  /** Positions of the ops that held its content. */
  positions: '$4::bigint[]',
} as const;

export const valuesOf = ({ itemId, chunkIds, sourceRemoved, erased }: Forgetting): readonly unknown[] => [
  itemId,
  chunkIds,
  sourceRemoved,
  erased,
];

/** Declares every parameter: Postgres refuses a statement in which one has no type. */
export const GIVEN = `given as (select ${Object.values(FORGOTTEN).join(', ')})`;

/** Rows of a table that has the id of the chunk and of its item. */
export const ofItem = (chunkId = 'chunk_id'): string =>
  `(${chunkId} = any (${FORGOTTEN.chunkIds}) or (${FORGOTTEN.isWhole} and item_id = ${FORGOTTEN.itemId}))`;
