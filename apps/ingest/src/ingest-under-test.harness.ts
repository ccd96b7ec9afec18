import {
  systemPrincipal,
  type CommandData,
  type CommandResult,
  type CommandType,
  type Principal,
} from '@cairn/contracts';
import { systemClock, systemIds, type Clock } from '@cairn/kernel';
import type { NatsConnection } from '@cairn/messaging';
import { createLogger, createMetrics, type Metrics } from '@cairn/observability';
import { JetStreamOpLog, VectorLog } from '@cairn/op-log';
import { Database } from '@cairn/persistence';
import { BM25_DEFAULT, type Stores } from '@cairn/projections';
import { TestNats, TestPglite } from '@cairn/testing';
import { createKek, JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import type { Pool } from 'pg';
import { tokenGrant } from './command-data.builder.js';
import type { IngestConfig } from './config.js';
import { IngestService } from './ingest.service.js';

export interface Replica {
  readonly service: IngestService;
  readonly metrics: Metrics;
}

/** The write side on a broker and a database of its own, and eyes to look into both. */
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
  } & Partial<Pick<IngestConfig, 'openSearchUrl' | 'keywordIndexWaitMs'>> = {}): Promise<IngestUnderTest> {
    const [broker, database] = await Promise.all([TestNats.start(), TestPglite.start()]);
    const config: IngestConfig = {
      natsUrl: broker.url,
      isBrokerProven: true,
      replicas: 1,
      databaseUrl: database.url,
      openSearchUrl: undefined,
      bm25: BM25_DEFAULT,
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
    await replica.service.close();
  }

  command<T extends CommandType>(
    principal: Principal,
    type: T,
    data: CommandData<T>,
    id = systemIds.next(),
    { service } = this.replicas[0]!,
  ): Promise<CommandResult<T>> {
    return service.carryOut(type, { id, correlationId: 'test', principal, data } as never);
  }

  /** A new workspace; the answer is the principal of its admin. */
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

  /** How many appends a replica has made, by result. */
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

const openReplica = async (config: IngestConfig, clock: Clock): Promise<Replica> => {
  const metrics = createMetrics();
  const logger = createLogger({ name: 'test', level: 'fatal', format: 'json' });
  return { service: await IngestService.open(config, logger, metrics, clock), metrics };
};
