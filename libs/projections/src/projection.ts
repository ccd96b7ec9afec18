/** Statements of one transaction, sent one behind the other without waiting: the caller awaits the transaction. */
export interface StatementSink {
  query(sql: string, values?: readonly unknown[]): Promise<unknown>;
}

export type Write = (db: StatementSink, schema: string) => void;

/**
 * A read model in Postgres. `prepare` does what needs no database (parsing, opening sealed fields), `Write` issues the
 * statements. Nothing in a row comes from a clock or a random source, so a rebuild gives the same rows.
 */
export interface PostgresProjection<T> {
  readonly name: string;
  readonly version: number;
  /** For the canonical hash. */
  readonly tableNames: readonly string[];
  /** Tables, keys, and the indexes that the projection's own statements need. */
  tables(schema: string): string;
  /**
   * Indexes that only readers need and that are dear to keep up row by row: a rebuild makes them at its end. Statements
   * of the form `create index if not exists`, so that making them again does nothing.
   */
  indexes(schema: string): readonly string[];
  prepare(entries: readonly T[]): Promise<Write>;
}
