/** A table with a wrapped key next to its ciphertext, in a column `wrapped_key`. */
export interface WrappedKeys<T extends string = string> {
  readonly table: T;
  /** The column with the id of the key's owner. */
  readonly id: string;
  /** Selects `id`, `workspace_id` and `wrapped_key` of at most $2 rows with ids greater than $1, in the order of their ids. */
  readonly rows: (schema: string) => string;
}
