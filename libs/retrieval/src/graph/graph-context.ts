import { folderReaderValues, type FolderReader } from '@cairn/access';
import { entityClasses, type EntityClass } from '@cairn/graph';
import { readPrepared } from '@cairn/persistence';
import type { Pool, QueryResultRow } from 'pg';
import type { KeyOpener } from '../winners.js';

/** The context of a query about the graph: it includes the reader, and so does every statement. */
export interface GraphContext {
  readonly pool: Pool;
  readonly vault: KeyOpener;
  readonly reader: FolderReader;
  /** The id of the entity with this name key, in the reader's workspace. */
  readonly entityId: (key: string) => string;
  /** Runs a statement when it is this caller's turn. */
  readonly inTurn: <T>(statement: () => Promise<T>) => Promise<T>;
}

/** Calls a function of the graph for the reader. */
export const graphRows = <R extends QueryResultRow>(
  { pool, reader, inTurn }: GraphContext,
  name: string,
  values: readonly unknown[],
): Promise<R[]> => {
  const given = [...folderReaderValues(reader), ...values];
  const sql = `select * from retrieval.${name}(${given.map((_, i) => `$${i + 1}`).join(', ')})`;
  return inTurn(() => readPrepared<R>(pool, sql, given));
};

interface MergeRow {
  readonly alias_key: string;
  readonly canonical_key: string;
  readonly position: string;
}

/** The entities of some names: a merge counts if both of its sides have an anchor that the reader may see. */
export const classesOf = async (
  context: GraphContext,
  keys: readonly string[],
): Promise<ReadonlyMap<string, EntityClass>> => {
  if (keys.length === 0) return new Map();
  const rows = await graphRows<MergeRow & QueryResultRow>(context, 'graph_merges', [keys]);
  const merges = rows.map(({ alias_key: aliasKey, canonical_key: canonicalKey, position }) => ({
    aliasKey,
    canonicalKey,
    position: Number(position),
  }));
  return entityClasses(keys, merges);
};

/** Each class once. */
export const distinctClasses = (classes: ReadonlyMap<string, EntityClass>): EntityClass[] => [
  ...new Map([...classes.values()].map((entity) => [entity.key, entity])).values(),
];
