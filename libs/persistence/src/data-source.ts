import 'reflect-metadata';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import { migrations } from './migrations/index.js';
import { clientOptions, type PostgresAccess } from './postgres-access.js';
import { postgresProblem } from './postgres-problem.js';

export interface DatabaseOptions extends PostgresAccess {
  /** Tables that are read through TypeORM. */
  readonly entities?: readonly EntitySchema[];
  readonly applicationName: string;
  readonly poolSize?: number;
  /** Statements of one connection are sent without waiting for each other, so a transaction costs one round trip. */
  readonly pipeline?: boolean;
  /** The server cancels a statement that runs longer; so does PGlite. Without it there is no limit. */
  readonly statementMsMax?: number;
}

/** Any number that no other program uses will do: "CAIRN" in ASCII. */
const MIGRATION_LOCK = 0x434149524e;

const withListener = new WeakSet<PoolClient>();

const ignoreErrors = (client: PoolClient): void => {
  if (withListener.has(client)) return;
  withListener.add(client);
  client.on('error', () => undefined);
};

/** One pool per service. TypeORM owns it; hot paths use the pool directly and avoid the mapping. */
export class Database {
  private constructor(readonly orm: DataSource) {}

  static async connect(options: DatabaseOptions): Promise<Database> {
    const { url, applicationName, entities = [], poolSize = 8, pipeline = false, statementMsMax = 0 } = options;
    const orm = new DataSource({
      type: 'postgres',
      url,
      applicationName,
      poolSize,
      entities: [...entities],
      migrations,
      migrationsTableName: 'cairn_migrations',
      // `gen_random_uuid` is in core, and PGlite has no uuid-ossp.
      uuidExtension: 'pgcrypto',
      installExtensions: false,
      // A restarted server leaves dead sockets in the pool: the pool drops them, and the caller retries the query.
      poolErrorHandler: () => undefined,
      // Idle connections are kept: a search after a quiet period should not pay for a new one, nor for planning again.
      extra: {
        connectionTimeoutMillis: 10_000,
        idleTimeoutMillis: 0,
        keepAlive: true,
        pipeline,
        statement_timeout: statementMsMax,
        ...clientOptions(options),
      },
    });
    try {
      await orm.initialize();
    } catch (thrown) {
      throw postgresProblem(options, thrown);
    }
    const database = new Database(orm);
    // A connection that dies while in use fails its query; without a listener its error event would also end the process.
    for (const event of ['connect', 'acquire'] as const) database.pool.on(event, ignoreErrors);
    return database;
  }

  get pool(): Pool {
    return (this.orm.driver as unknown as { master: Pool }).master;
  }

  /** When several processes start together, one migrates and the others wait for it. */
  async migrate(): Promise<void> {
    const client = await this.pool.connect();
    try {
      await client.query('select pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await this.orm.runMigrations({ transaction: 'each' });
    } finally {
      await client.query('select pg_advisory_unlock($1)', [MIGRATION_LOCK]).catch(() => undefined);
      client.release();
    }
  }

  async close(): Promise<void> {
    await this.orm.destroy();
  }
}
