/**
 * The clients of Postgres and OpenSearch: data source, migrations, table definitions, and arrays in the form that
 * Postgres takes fastest. Contains no queries: `@cairn/projections` writes read models, `@cairn/retrieval` ranks.
 */
export { realArray, uuidArray } from './binary-array.js';
export { Database, type DatabaseOptions } from './data-source.js';
export { databaseError } from './database-error.js';
export { queryNamed, StatementNames } from './named-statements.js';
export { inOnePiece } from './in-one-piece.js';
export {
  assertWelcome,
  connectOpenSearch,
  openSearchAccess,
  type OpenSearchAccess,
  type OpenSearchClient,
} from './open-search.js';
export { assertCreatesNothing } from './open-search-settings.js';
export { postgresAccess, type PostgresAccess } from './postgres-access.js';
export { bm25Env, openSearchEnv, postgresEnv, residentEnv } from './postgres-env.js';
export { readPrepared, readRows } from './read-rows.js';
export { assertOwner, assertReader } from './role-check.js';
export { columnsOf, fieldNames, viewOf, type RowOf } from './wire-rows.js';
export { entityOf } from './entity.js';
export { table, tablesSql, type Table, type TableRow } from './table.js';
