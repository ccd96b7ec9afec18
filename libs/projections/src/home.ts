import type { ProjectionTarget } from '@cairn/op-log';
import { tablesSql } from '@cairn/persistence';
import type { Forgetting } from './erasure/forgettings.js';
import { compareTables, type TableComparison } from './canonical-hash.js';
import { PostgresTarget } from './postgres-target.js';
import { tableNames, type Projection, type StreamName, type Streams } from './projection.js';
import { dropSlot, readSlot, type Slot, type SlotShape } from './slots.js';
import type { Stores } from './stores.js';

/** Where the rows or documents of a projection are stored. The checkpoint is always in Postgres. */
export interface Home<T> {
  /** The parts of a slot in Postgres. */
  readonly shape: SlotShape;
  target(slot: string): ProjectionTarget<T>;
  /** Compares two versions that have reached the same position. */
  compare(live: Slot, next: Slot): Promise<TableComparison[]>;
  /** Everything outside Postgres. Absent for a home in Postgres, where every projection may have slots. */
  readonly outside?: OutsidePostgres;
}

/** The result of a look at a store outside Postgres. */
export interface Inspection {
  /** True if it is not the store that the checkpoint was reached with: the projection has to be rebuilt. */
  readonly isLost: boolean;
  /** Why the projection is incomplete, if it is. */
  readonly problem: string | undefined;
}

export interface OutsidePostgres {
  /** Looks at the live version. If it is lost, its target creates it again when the checkpoint is read next. */
  inspect(): Promise<Inspection>;
  /** Like `inspect`, and compares what is stored with the library: what is wrong with the live version, if anything is. */
  verify(): Promise<string | undefined>;
  /** Called after a version has become the live one. */
  swapped(next: Slot): Promise<void>;
  /** Deletes a version that is not live. */
  drop(version: Slot): Promise<void>;
  /** Counts the forgotten content that is left, in every version. */
  left(forgetting: Forgetting): Promise<number>;
  /** Erases the forgotten content from every version. Repeating it does nothing. */
  erase(forgetting: Forgetting): Promise<void>;
  /** Removes deleted data from the disk. */
  purge(signal: AbortSignal): Promise<void>;
  /** Runs once after each start, after everything else: repairs data that an earlier build wrote, and reports it. */
  mend(signal: AbortSignal): Promise<string | undefined>;
}

const postgresHome = <S extends StreamName>(projection: Projection<S>, stores: Stores): Home<Streams[S]> => ({
  shape: {
    tables: (schema) => tablesSql(schema, projection.tables),
    indexes: (schema) => projection.indexes(schema, stores),
  },
  target: (slot) => new PostgresTarget(stores.pool, [memberOf(projection, stores, slot)]),
  compare: (live, next) => compareTables(stores.pool, tableNames(projection), live.name, next.name),
});

export const homeOf = <S extends StreamName>(projection: Projection<S>, stores: Stores): Home<Streams[S]> => {
  const home = projection.otherHome?.(stores) ?? postgresHome(projection, stores);
  return { ...home, shape: { ...home.shape, code: `version ${projection.version} ${home.shape.code ?? ''}` } };
};

/** Drops a version of a projection, wherever it is stored. */
export const dropVersion = async (projection: Projection, stores: Stores, slot: string): Promise<void> => {
  const found = await readSlot(stores.pool, slot);
  if (found) await homeOf(projection, stores).outside?.drop(found);
  await dropSlot(stores.pool, slot);
};

/** A projection as a member of a target in Postgres. */
export const memberOf = <S extends StreamName>(projection: Projection<S>, stores: Stores, slot = projection.name) => ({
  slot,
  handler: projection.handler(stores),
});
