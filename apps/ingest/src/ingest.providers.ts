import { KEYWORD_INDEX_WAIT_MS } from '@cairn/contracts';
import { openCorrectionProposer } from '@cairn/correction';
import { WorkerExtractor } from '@cairn/extraction';
import { systemIds, type Clock } from '@cairn/kernel';
import { connectNats, STOPPING, type NatsConnection } from '@cairn/messaging';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import { checkServer, ensureStreams, ForgetLedger, JetStreamOpLog, VectorLog, VectorModelStore } from '@cairn/op-log';
import { connectOpenSearch, Database } from '@cairn/persistence';
import type { Stores } from '@cairn/projections';
import { JetStreamKeyStore, KeyRing, Vault, type InstanceSecrets } from '@cairn/vault';
import type { Provider } from '@nestjs/common';
import { CommandWriter } from './commands/command-writer.js';
import { Commands } from './commands/commands.js';
import { GroupCommit } from './commands/group-commit.js';
import { notifyGateways } from './commands/notify-gateways.js';
import { loadState } from './commands/state-loader.js';
import type { IngestConfig } from './config.js';
import { ReviewCounter } from './projections/review-counter.js';
import { VectorIndexes } from './vectors/vector-indexes.js';
import { ConfirmationSweeper } from './confirmations/confirmation-sweeper.js';
import { JetStreamCorrectionStore } from './corrections/correction-store.js';
import { Corrections } from './corrections/corrections.js';
import { ErasureWorker } from './erasure/erasure-worker.js';
import { LedgerKeeper } from './erasure/ledger-keeper.js';
import { SearchMemories } from './erasure/search-memories.js';
import { IngestStatus } from './ingest-status.js';
import { ProjectionRunner } from './projections/projection-runner.js';
import { foundSecrets } from './rotation/found-secrets.js';
import { RotationWorker } from './rotation/rotation-worker.js';
import { VectorKeeper } from './vectors/vector-keeper.js';

export const CONFIG = Symbol('ingest.config');
export const CLOCK = Symbol('ingest.clock');
export const NATS = Symbol('ingest.nats');
export const STORES = Symbol('ingest.stores');
const SECRETS = Symbol('ingest.secrets');

const openBroker = async (config: IngestConfig, logger: Logger): Promise<NatsConnection> => {
  const nats = await connectNats(config.natsUrl, 'ingest');
  await checkServer(nats, {
    monitorUrl: config.natsMonitorUrl,
    isProven: config.isBrokerProven,
    warn: (message) => logger.warn(message),
  });
  await ensureStreams(nats, config.replicas);
  return nats;
};

/** Every writer depends on this check: nothing is written with the KEK of another installation. */
const openVault = async (nats: NatsConnection, config: IngestConfig): Promise<Vault> => {
  const vault = new Vault(new KeyRing(config), await JetStreamKeyStore.create(nats, config.replicas));
  try {
    await vault.findSecrets();
    return vault;
  } catch (thrown) {
    await nats.close();
    throw thrown;
  }
};

const openDatabase = async (config: IngestConfig): Promise<Database> => {
  const database = await Database.connect({
    url: config.databaseUrl,
    applicationName: 'cairn-ingest',
    pipeline: true,
  });
  await database.migrate();
  return database;
};

const openStores = async (
  nats: NatsConnection,
  vault: Vault,
  { pool }: Database,
  { openSearchUrl, bm25 }: IngestConfig,
  { graphExtractSeconds }: Metrics,
): Promise<Stores> => ({
  pool,
  vault,
  log: await JetStreamOpLog.open(nats),
  vectors: new VectorLog(nats),
  openSearch: openSearchUrl === undefined ? undefined : connectOpenSearch(openSearchUrl),
  bm25,
  extractor: new WorkerExtractor({ onBatch: (seconds) => graphExtractSeconds.observe(seconds) }),
});

const startProjections = async (
  stores: Stores,
  { keywordIndexWaitMs = KEYWORD_INDEX_WAIT_MS }: IngestConfig,
  logger: Logger,
  metrics: Metrics,
): Promise<ProjectionRunner> => {
  const projections = new ProjectionRunner({ ...stores, keywordIndexWaitMs, logger, metrics });
  await projections.start();
  return projections;
};

/** The library has caught up by then, so an installation without workspaces is known to be new. */
const openSecrets = async ({ vault, pool }: Stores): Promise<InstanceSecrets> =>
  (await vault.findSecrets()) ?? foundSecrets(vault, pool);

const groupCommit = (
  { pool, log }: Stores,
  projections: ProjectionRunner,
  nats: NatsConnection,
  clock: Clock,
  metrics: Metrics,
): GroupCommit => {
  const commits = new GroupCommit({
    log,
    load: (workspaceId, needs) => loadState(pool, workspaceId, needs),
    applied: (position, timeoutMs) => projections.applied(position, timeoutMs),
    clock,
    ids: systemIds,
    onCarried: (workspaceId, events, position) => notifyGateways(nats, workspaceId, events, position),
    onAppend: (result, seconds) => {
      metrics.oplogAppends.inc({ result });
      metrics.oplogAppendSeconds.observe(seconds);
    },
  });
  projections.yieldWhile(() => commits.isBusy);
  return commits;
};

const ledgerKeeper = (
  { pool, vault }: Stores,
  nats: NatsConnection,
  writer: CommandWriter,
  logger: Logger,
): LedgerKeeper =>
  new LedgerKeeper({
    pool,
    vault,
    ledger: new ForgetLedger(nats),
    logger,
    forget: (entry) => writer.forgetAgain(entry),
    eraseWaiting: (workspaceId, confirmationId) => writer.endConfirmation('erase', workspaceId, confirmationId),
  });

/** The parts of ingest, in dependency order. */
export const INGEST_PROVIDERS: Provider[] = [
  { provide: NATS, inject: [CONFIG, LOGGER], useFactory: openBroker },
  { provide: Vault, inject: [NATS, CONFIG], useFactory: openVault },
  { provide: Database, inject: [CONFIG, Vault], useFactory: openDatabase },
  { provide: STORES, inject: [NATS, Vault, Database, CONFIG, Metrics], useFactory: openStores },
  { provide: ProjectionRunner, inject: [STORES, CONFIG, LOGGER, Metrics], useFactory: startProjections },
  { provide: SECRETS, inject: [STORES, ProjectionRunner], useFactory: openSecrets },
  {
    provide: JetStreamCorrectionStore,
    inject: [NATS, CONFIG, Vault],
    useFactory: (nats: NatsConnection, { replicas }: IngestConfig) => JetStreamCorrectionStore.create(nats, replicas),
  },
  {
    provide: Corrections,
    inject: [STORES, JetStreamCorrectionStore, CONFIG, CLOCK, STOPPING],
    useFactory: (
      { pool, vault }: Stores,
      store: JetStreamCorrectionStore,
      { correction }: IngestConfig,
      clock: Clock,
      stopping: AbortSignal,
    ) =>
      new Corrections({
        pool,
        vault,
        store,
        proposer: openCorrectionProposer(correction),
        clock,
        ids: systemIds,
        stopping,
      }),
  },
  { provide: GroupCommit, inject: [STORES, ProjectionRunner, NATS, CLOCK, Metrics], useFactory: groupCommit },
  {
    provide: CommandWriter,
    inject: [GroupCommit, STORES, SECRETS, JetStreamCorrectionStore],
    useFactory: (
      commits: GroupCommit,
      { pool, vault }: Stores,
      secrets: InstanceSecrets,
      corrections: JetStreamCorrectionStore,
    ) => new CommandWriter(commits, { pool, vault, secrets, corrections, ids: systemIds }),
  },
  { provide: LedgerKeeper, inject: [STORES, NATS, CommandWriter, LOGGER], useFactory: ledgerKeeper },
  {
    provide: ConfirmationSweeper,
    inject: [STORES, CommandWriter, CLOCK, LOGGER],
    useFactory: ({ pool, vault }: Stores, writer: CommandWriter, clock: Clock, logger: Logger) =>
      new ConfirmationSweeper({
        pool,
        vault,
        clock,
        logger,
        expire: (workspaceId, confirmationId) => writer.endConfirmation('expire', workspaceId, confirmationId),
      }),
  },
  {
    provide: ReviewCounter,
    inject: [STORES, Metrics, LOGGER],
    useFactory: ({ pool }: Stores, metrics: Metrics, logger: Logger) => new ReviewCounter({ pool, metrics, logger }),
  },
  {
    provide: VectorModelStore,
    inject: [NATS, CONFIG, Vault],
    useFactory: (nats: NatsConnection, { replicas }: IngestConfig) => VectorModelStore.create(nats, replicas),
  },
  {
    provide: VectorKeeper,
    inject: [NATS, STORES, VectorModelStore, CLOCK, LOGGER, ProjectionRunner],
    useFactory: (
      nats: NatsConnection,
      { pool, vectors }: Stores,
      store: VectorModelStore,
      clock: Clock,
      logger: Logger,
    ) => new VectorKeeper({ nats, pool, vectors, store, clock, logger }),
  },
  {
    provide: VectorIndexes,
    inject: [STORES, CONFIG, LOGGER],
    useFactory: ({ pool }: Stores, { residentMb }: IngestConfig, logger: Logger) =>
      new VectorIndexes({ pool, residentMb, logger }),
  },
  {
    provide: RotationWorker,
    inject: [STORES, CONFIG, CLOCK, LOGGER, Metrics],
    useFactory: (
      { vault, pool }: Stores,
      { onRotated }: IngestConfig,
      clock: Clock,
      logger: Logger,
      metrics: Metrics,
    ) => new RotationWorker({ vault, pool, clock, logger, metrics, onDone: onRotated }),
  },
  {
    provide: ErasureWorker,
    inject: [STORES, SECRETS, LedgerKeeper, CommandWriter, CLOCK, LOGGER, Metrics],
    useFactory: (
      stores: Stores,
      secrets: InstanceSecrets,
      ledger: LedgerKeeper,
      writer: CommandWriter,
      clock: Clock,
      logger: Logger,
      metrics: Metrics,
    ) =>
      new ErasureWorker({
        ...stores,
        secrets,
        record: (receiptIds) => ledger.record(receiptIds),
        isBusy: () => writer.isBusy,
        issue: (receipt) => writer.issueReceipt(receipt),
        clock,
        logger,
        metrics,
      }),
  },
  {
    provide: Commands,
    inject: [CommandWriter, ProjectionRunner, NATS, STORES, Corrections, LedgerKeeper, ErasureWorker, LOGGER, CONFIG],
    useFactory: (
      writer: CommandWriter,
      projections: ProjectionRunner,
      nats: NatsConnection,
      { pool, vault }: Stores,
      corrections: Corrections,
      ledger: LedgerKeeper,
      erasure: ErasureWorker,
      logger: Logger,
      { brokerProblem = () => undefined }: IngestConfig,
    ) =>
      new Commands({
        writer,
        projections,
        nats,
        vault,
        corrections,
        ledger,
        memories: new SearchMemories({ nats, pool, logger }),
        erasure,
        logger,
        brokerProblem,
      }),
  },
  {
    provide: IngestStatus,
    inject: [NATS, ProjectionRunner, RotationWorker, CONFIG],
    useFactory: (
      nats: NatsConnection,
      projections: ProjectionRunner,
      rotation: RotationWorker,
      { brokerProblem = () => undefined }: IngestConfig,
    ) => new IngestStatus(nats, projections, rotation, brokerProblem),
  },
];
