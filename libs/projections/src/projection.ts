import type { OPLOG_STREAM, VECTORS_STREAM } from '@cairn/contracts';
import type { StoredOp, StoredVector } from '@cairn/op-log';
import type { Table } from '@cairn/persistence';
import type { Pool } from 'pg';
import type { Erasure } from './erasure/erasure.js';
import type { Home } from './home.js';
import type { Bm25 } from './lexical/lexical.schema.js';
import type { WrappedKeys } from './rotation/wrapped-keys.js';
import type { Stores } from './stores.js';

/** Statements of one transaction, sent one after the other without waiting: the caller awaits the transaction. */
export interface StatementSink {
  query(sql: string, values?: readonly unknown[]): Promise<unknown>;
}

export type Write = (db: StatementSink, schema: string) => void;

/**
 * `prepare` does the work that needs no database (parsing, opening sealed fields), `Write` issues the statements.
 * Nothing in a row comes from a clock or a random source, so a rebuild gives the same rows.
 */
export interface Handler<T> {
  prepare(entries: readonly T[]): Promise<Write>;
}

/** The inputs of rows in addition to the entries. */
export type HandlerStores = Pick<Stores, 'vault' | 'vectors' | 'extractor'>;

/** The streams that projections read, and the type of each stream's entries. */
export interface Streams {
  readonly [OPLOG_STREAM]: StoredOp;
  readonly [VECTORS_STREAM]: StoredVector;
}
export type StreamName = keyof Streams;

/**
 * The content of a table's dead rows after a forgetting, which decides what a purge does with the table.
 * - `rewritten`: text, vectors, or a wrapped key next to its ciphertext. A purge rewrites the table.
 * - `ciphertext`: ciphertext without a key next to it. The key is destroyed, so the table stays.
 * - `ids`: ids, hashes, times and numbers.
 * - `settings`: names and settings of workspaces, folders and tokens, which belong to no item.
 */
export type DeadRows = 'rewritten' | 'ciphertext' | 'ids' | 'settings';

/**
 * Everything that Cairn needs to know about a read model. Adding one means writing its folder and adding it to
 * `PROJECTIONS`: all code that runs, rebuilds, erases, purges or rewraps projections iterates over that list.
 */
export interface Projection<S extends StreamName = StreamName, T extends string = string> {
  /** Also the name of its schema, its checkpoint and its store in a receipt. */
  readonly name: string;
  readonly version: number;
  readonly stream: S;
  /**
   * Whether the answer to a command waits for it. If so, it commits in one transaction with the other awaited
   * projections; if it is stored outside Postgres, the answer waits a limited time. If not, it follows with its own
   * checkpoint.
   */
  readonly isAwaited: boolean;
  /** Entries per live batch, if a larger batch would keep other clients of the database waiting. */
  readonly liveBatchMax?: number;
  /** Whether it pauses while commands are in progress; for a follower that takes much processor time. */
  readonly yieldsToCommands?: boolean;
  readonly tables: Readonly<Record<T, Table>>;
  /**
   * Indexes that only readers need and that are expensive to maintain row by row: a rebuild creates them at its end.
   * Statements of the form `create index if not exists`, with the functions that the indexes call, so that creating
   * them again does nothing.
   */
  indexes(schema: string, settings: { readonly bm25?: Bm25 | undefined }): readonly string[];
  handler(stores: HandlerStores): Handler<Streams[S]>;
  /** The rows that a forgetting erases here, and how Cairn proves that nothing is left. */
  readonly erases: Erasure<NoInfer<T>> | 'nothing';
  /** The content of each table's dead rows. */
  readonly purges: Readonly<Record<NoInfer<T>, DeadRows>>;
  /** Rewrites the live tables without keeping readers waiting, if `vacuum full` would take too long. */
  readonly rewriteLive?: (pool: Pool, signal: AbortSignal) => Promise<void>;
  /** Wrapped keys in its rows, which a rotation of the KEK wraps again. */
  readonly wrappedKeys: readonly WrappedKeys<NoInfer<T>>[] | 'nothing';
  /** Where it is stored instead of Postgres, if this installation has that engine. */
  readonly otherHome?: (stores: Stores) => Home<Streams[S]> | undefined;
}

/** Checks that `purges` covers every table, and that `erases` and `wrappedKeys` name no other. */
export const defineProjection = <S extends StreamName, T extends string>(projection: Projection<S, T>): Projection<S> =>
  projection;

export const tableNames = ({ tables }: Pick<Projection, 'tables'>): string[] => Object.keys(tables);
