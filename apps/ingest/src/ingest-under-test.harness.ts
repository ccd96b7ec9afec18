import {
  systemPrincipal,
  type CommandData,
  type CommandResult,
  type LoggedCommandType,
  type Principal,
} from '@cairn/contracts';
import { systemClock, systemIds, type Clock } from '@cairn/kernel';
import { serviceModule, type NatsConnection } from '@cairn/messaging';
import { createLogger, createMetrics, nestLogger, type Metrics } from '@cairn/observability';
import { JetStreamOpLog, VectorLog } from '@cairn/op-log';
import { Database } from '@cairn/persistence';
import { BM25_DEFAULT, type Stores } from '@cairn/projections';
import { TestNats, TestPglite } from '@cairn/testing';
import { createKek, JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import { NestFactory } from '@nestjs/core';
import type { Pool } from 'pg';
import { tokenGrant } from './command-data.builder.js';
import type { IngestConfig } from './config.js';
import type { WorkerExtractor } from '@cairn/extraction';
import { CommandWriter } from './commands/command-writer.js';
import { Commands } from './commands/commands.js';
import { ConfirmationSweeper } from './confirmations/confirmation-sweeper.js';
import { ReviewCounter } from './projections/review-counter.js';
import { IngestStatus } from './ingest-status.js';
import { STORES } from './ingest.providers.js';
import { StoreWatch } from './stores/store-watch.js';
import { IngestModule } from './ingest.module.js';

export interface Replica {
  readonly commands: Commands;
  readonly writer: CommandWriter;
  readonly sweeper: ConfirmationSweeper;
  readonly reviews: ReviewCounter;
  readonly status: IngestStatus;
  readonly watch: StoreWatch;
  readonly metrics: Metrics;
  readonly extractor: WorkerExtractor;
  /** Ends the waits for a model and for vectors, as the first step of a shutdown does. */
  stop(): void;
  close(): Promise<void>;
}

/** The write side with its own broker and database, and connections to inspect both. */
export class IngestUnderTest {
  readonly replicas: Replica[] = [];

  private constructor(
    readonly broker: TestNats,
    readonly database: TestPglite,
    readonly config: IngestConfig,
    readonly nats: NatsConnection,
    readonly log: JetStreamOpLog,
    readonly vault: Vault,
    private readonly eyes: Database,
    private readonly clock: Clock,
  ) {}

  static async start({
    clock = systemClock,
    erases = true,
    ...more
  }: {
    readonly clock?: Clock;
    readonly erases?: boolean;
  } & Partial<
    Pick<IngestConfig, 'openSearch' | 'keywordIndexWaitMs' | 'storeLookPauseMs'>
  > = {}): Promise<IngestUnderTest> {
    const [broker, database] = await Promise.all([TestNats.start(), TestPglite.start()]);
    const config: IngestConfig = {
      nats: { url: broker.url },
      isBrokerProven: true,
      replicas: 1,
      database: { url: database.url },
      openSearch: undefined,
      bm25: BM25_DEFAULT,
      residentMb: 64,
      kek: createKek(),
      correction: { provider: 'rules' },
      erases,
      ...more,
    };
    const first = await openReplica(config, clock);
    const nats = await broker.connect();
    const eyes = await Database.connect({ url: database.url, applicationName: 'eyes', pipeline: true });
    const vault = new Vault(new KeyRing(config), await JetStreamKeyStore.open(nats));
    const log = await JetStreamOpLog.open(nats);
    const started = new IngestUnderTest(broker, database, config, nats, log, vault, eyes, clock);
    started.replicas.push(first);
    return started;
  }

  get pool(): Pool {
    return this.eyes.pool;
  }

  get stores(): Stores {
    const { pool, vault, log, vectors } = this;
    return { pool, vault, log, vectors };
  }

  get vectors(): VectorLog {
    return new VectorLog(this.nats);
  }

  async addReplica(more: Partial<IngestConfig> = {}): Promise<Replica> {
    const replica = await openReplica({ ...this.config, ...more }, this.clock);
    this.replicas.push(replica);
    return replica;
  }

  async removeReplica(replica: Replica): Promise<void> {
    this.replicas.splice(this.replicas.indexOf(replica), 1);
    await replica.close();
  }

  command<T extends LoggedCommandType>(
    principal: Principal,
    type: T,
    data: CommandData<T>,
    id = systemIds.next(),
    { commands } = this.replicas[0]!,
  ): Promise<CommandResult<T>> {
    return commands.carryOut(type, { id, correlationId: 'test', principal, data });
  }

  propose(
    principal: Principal,
    data: CommandData<'chunk.propose'>,
    { commands } = this.replicas[0]!,
  ): Promise<CommandResult<'chunk.propose'>> {
    return commands.propose({ id: systemIds.next(), correlationId: 'test', principal, data });
  }

  /** Creates a workspace and returns the principal of its admin. */
  async workspace(slug = `w-${systemIds.next()}`): Promise<Principal> {
    const workspaceId = systemIds.next();
    const adminToken = tokenGrant({ isUnscoped: true, scopes: ['admin'] });
    await this.command(systemPrincipal(workspaceId), 'workspace.create', {
      workspaceId,
      slug,
      name: 'A workspace',
      folderId: systemIds.next(),
      adminToken,
      instanceAdmin: false,
    });
    const { tokenId, agentId } = adminToken;
    return { ...systemPrincipal(workspaceId), tokenId, agentId, instanceAdmin: false };
  }

  /** The number of appends of a replica, by result. */
  async appends(result: 'ok' | 'conflict' | 'failed', { metrics } = this.replicas[0]!): Promise<number> {
    const { values } = await metrics.oplogAppends.get();
    return values.find(({ labels }) => labels.result === result)?.value ?? 0;
  }

  async count(table: string, principal: Principal): Promise<number> {
    const { rows } = await this.pool.query<{ n: number }>(
      `select count(*)::int as n from library.${table} where workspace_id = $1`,
      [principal.workspaceId],
    );
    return rows[0]!.n;
  }

  async stop(): Promise<void> {
    for (const replica of [...this.replicas]) await this.removeReplica(replica);
    await this.eyes.close();
    await Promise.all([this.broker.stop(), this.database.stop()]);
  }
}

/** Bypasses the transport, so a test can call a specific replica. */
const openReplica = async (config: IngestConfig, clock: Clock): Promise<Replica> => {
  const metrics = createMetrics();
  const logger = createLogger({ name: 'test', level: 'fatal', format: 'json' });
  const stopping = new AbortController();
  const module = IngestModule.register(config, clock);
  const app = await NestFactory.createApplicationContext(serviceModule({ module, logger, metrics }, stopping.signal), {
    logger: nestLogger(logger),
    abortOnError: false,
  });
  return {
    commands: app.get(Commands),
    writer: app.get(CommandWriter),
    sweeper: app.get(ConfirmationSweeper),
    reviews: app.get(ReviewCounter),
    status: app.get(IngestStatus),
    watch: app.get(StoreWatch),
    metrics,
    extractor: app.get<Stores>(STORES).extractor as WorkerExtractor,
    stop: () => stopping.abort(),
    close: () => app.close(),
  };
};
