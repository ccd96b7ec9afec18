import 'reflect-metadata';
import { fail } from '@cairn/contracts';
import type { Pool, PoolClient } from 'pg';
import { DataSource, type EntitySchema } from 'typeorm';
import { migrations } from './migrations/index.js';

export interface DatabaseOptions {
  /** Tables that are read through TypeORM. */
  readonly entities?: readonly EntitySchema[];
  readonly url: string;
  readonly applicationName: string;
  readonly poolSize?: number;
  /** Statements of one connection go out without waiting for each other: a transaction costs one round trip. */
  readonly pipeline?: boolean;
  /** The server ends a statement that runs longer; PGlite does so too. Without it there is no limit. */
  readonly statementMsMax?: number;
}

/** Any number will do that nobody else uses: "CAIRN" in ASCII. */
const MIGRATION_LOCK = 0x434149524e;

const heard = new WeakSet<PoolClient>();

const hearErrors = (client: PoolClient): void => {
  if (heard.has(client)) return;
  heard.add(client);
  client.on('error', () => undefined);
};

/** One pool per service. TypeORM owns it; hot paths take the pool itself and spare the mapping. */
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
      // A child that was restarted leaves dead sockets in the pool: the pool drops them, the query is retried above.
      poolErrorHandler: () => undefined,
      // Connections stay: a search after a quiet while should not pay for a new one, nor a statement be planned again.
      extra: {
        connectionTimeoutMillis: 10_000,
        idleTimeoutMillis: 0,
        keepAlive: true,
        pipeline,
        statement_timeout: statementMsMax,
      },
    });
    try {
      await orm.initialize();
    } catch (thrown) {
      throw fail('projection.unavailable', 'Postgres is out of reach', {}, thrown);
    }
    const database = new Database(orm);
    // A connection that dies while it is checked out fails its query; unheard, its own event would end the process too.
    for (const event of ['connect', 'acquire'] as const) database.pool.on(event, hearErrors);
    return database;
  }

  get pool(): Pool {
    return (this.orm.driver as unknown as { master: Pool }).master;
  }

  /** Of several processes that start together one migrates, and the others wait for it. */
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
