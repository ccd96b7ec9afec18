import { type CommandResult, type CommandType } from '@cairn/contracts';
import { systemClock, systemIds } from '@cairn/kernel';
import { connectNats, type NatsConnection, type ParsedRequest } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { checkServer, ensureStreams, JetStreamOpLog, VectorLog } from '@cairn/op-log';
import { connectOpenSearch, Database, databaseError } from '@cairn/persistence';
import { installLegs } from '@cairn/retrieval';
import { JetStreamKeyStore, Vault } from '@cairn/vault';
import { GroupCommit } from './commands/group-commit.js';
import { PREPARE } from './commands/prepare.js';
import type { PreparedCommand } from './commands/prepared-command.js';
import { loadState } from './commands/state.loader.js';
import type { IngestConfig } from './config.js';
import { ProjectionRunner } from './projections/projection-runner.js';

/** The write side: carries out commands and keeps the read models up to date. */
export class IngestService {
  private ready = false;

  private constructor(
    private readonly nats: NatsConnection,
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly projections: ProjectionRunner,
    private readonly commits: GroupCommit,
  ) {}

  static async open(config: IngestConfig, logger: Logger, metrics: Metrics): Promise<IngestService> {
    const nats = await connectNats(config.natsUrl, 'ingest');
    await checkServer(nats, {
      monitorUrl: config.natsMonitorUrl,
      refuseUnproven: config.refuseUnprovenBroker,
      warn: (message) => logger.warn(message),
    });
    await ensureStreams(nats, config.replicas);
    const vault = new Vault(Buffer.from(config.kek, 'base64'), await JetStreamKeyStore.create(nats, config.replicas));
    const database = await Database.connect({
      url: config.databaseUrl,
      applicationName: 'cairn-ingest',
      pipeline: true,
    });
    await database.migrate();
    await installLegs(database.pool);
    const { pool } = database;
    const log = await JetStreamOpLog.open(nats);
    const openSearch = config.openSearchUrl === undefined ? undefined : connectOpenSearch(config.openSearchUrl);
    const projections = new ProjectionRunner({
      pool,
      log,
      vectors: new VectorLog(nats),
      vault,
      openSearch,
      logger,
      metrics,
    });
    const commits = new GroupCommit({
      log,
      load: (workspaceId, needs) => loadState(pool, workspaceId, needs),
      applied: (position, timeoutMs) => projections.applied(position, timeoutMs),
      answer: (command: PreparedCommand, { entityId, position, isNew }) =>
        command.answer(entityId, position, pool, isNew).catch((thrown: unknown) => {
          throw databaseError(thrown);
        }),
      clock: systemClock,
      ids: systemIds,
      onAppend: (result, seconds) => {
        metrics.oplogAppends.inc({ result });
        metrics.oplogAppendSeconds.observe(seconds);
      },
    });
    const service = new IngestService(nats, database, vault, projections, commits);
    await projections.start();
    service.ready = true;
    return service;
  }

  get isReady(): boolean {
    return this.ready && !this.nats.isClosed() && this.projections.isCaughtUp;
  }

  async carryOut<T extends CommandType>(type: T, request: ParsedRequest<never>): Promise<CommandResult<T>> {
    const prepared = PREPARE[type](request, { vault: this.vault, ids: systemIds });
    return (await this.commits.submit(prepared)) as CommandResult<T>;
  }

  /** True while a caller waits for a command. */
  get isBusy(): boolean {
    return this.commits.isBusy;
  }

  /** Answers what was taken; a caller that is cut off would have to ask again. */
  async finish(): Promise<void> {
    this.ready = false;
    await this.commits.idle();
  }

  async close(): Promise<void> {
    this.ready = false;
    await this.projections.stop();
    await this.database.close();
    // A broker that is gone has nothing left to drain.
    await this.nats.drain().catch(() => undefined);
  }
}
