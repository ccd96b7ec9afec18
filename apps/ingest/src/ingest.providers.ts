import { KEYWORD_INDEX_WAIT_MS, REPLACING_SUBJECT, type ReadModelsReplacing } from '@cairn/contracts';
import { openCorrectionProposer } from '@cairn/correction';
import { WorkerExtractor } from '@cairn/extraction';
import { systemIds, type Clock } from '@cairn/kernel';
import { askAll, connectNats, STOPPING, type NatsConnection } from '@cairn/messaging';
import { LOGGER, Metrics, type Logger } from '@cairn/observability';
import {
  checkServer,
  ensureStreams,
  ForgetLedger,
  JetStreamOpLog,
  raiseReplicas,
  VectorLog,
  VectorModelStore,
  type Turn,
} from '@cairn/op-log';
import {
  assertCreatesNothing,
  assertOwner,
  assertWelcome,
  connectOpenSearch,
  Database,
  type OpenSearchClient,
} from '@cairn/persistence';
import { buildOf, keepSecretsCopy, objectToReplacements, READ_MODEL_SCHEMAS, type Stores } from '@cairn/projections';
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
import { BuildSwitch } from './projections/build-switch.js';
import { ProjectionRunner } from './projections/projection-runner.js';
import {
  followApplied,
  leaseNameOf,
  openLease,
  reportApplied,
  UNSHARED,
  type WorkLease,
} from './projections/work-lease.js';
import { foundSecrets } from './rotation/found-secrets.js';
import { RotationWorker } from './rotation/rotation-worker.js';
import { StoreWatch } from './stores/store-watch.js';
import { watchedStores } from './stores/watched-stores.js';
import { VectorKeeper } from './vectors/vector-keeper.js';

export const CONFIG = Symbol('ingest.config');
export const CLOCK = Symbol('ingest.clock');
export const NATS = Symbol('ingest.nats');
export const STORES = Symbol('ingest.stores');
export const LEASE = Symbol('ingest.lease');
const SERVERS = Symbol('ingest.servers');
const SECRETS = Symbol('ingest.secrets');
const TURN = Symbol('ingest.turn');

interface Servers {
  readonly nats: NatsConnection;
  readonly database: Database;
  readonly openSearch: OpenSearchClient | undefined;
}

const openDatabase = async ({ database: to }: IngestConfig): Promise<Database> => {
  const database = await Database.connect({ ...to, applicationName: 'cairn-ingest', pipeline: true });
  await assertOwner(database.pool, READ_MODEL_SCHEMAS);
  return database;
};

const openOpenSearch = async ({ openSearch: to }: IngestConfig): Promise<OpenSearchClient | undefined> => {
  if (!to) return undefined;
  const client = connectOpenSearch(to);
  await assertWelcome(client, to);
  await assertCreatesNothing(client, to);
  return client;
};

/** Every server is checked before anything is written to one of them: a start that cannot succeed changes nothing. */
const openServers = async (config: IngestConfig, logger: Logger): Promise<Servers> => {
  const nats = await connectNats(config.nats, 'ingest');
  try {
    await checkServer(nats, {
      monitorUrl: config.natsMonitorUrl,
      isProven: config.isBrokerProven,
      warn: (message) => logger.warn(message),
    });
    const openSearch = await openOpenSearch(config);
    return { nats, openSearch, database: await openDatabase(config) };
  } catch (thrown) {
    await nats.close();
    throw thrown;
  }
};

const openBroker = async ({ nats }: Servers, { replicas }: IngestConfig): Promise<NatsConnection> => {
  await ensureStreams(nats, replicas);
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

const migrated = async ({ database }: Servers): Promise<Database> => {
  await database.migrate();
  return database;
};

const openStores = async (
  nats: NatsConnection,
  vault: Vault,
  { pool }: Database,
  { openSearch }: Servers,
  { bm25 }: IngestConfig,
  { graphExtractSeconds }: Metrics,
): Promise<Stores> => ({
  pool,
  vault,
  log: await JetStreamOpLog.open(nats),
  vectors: new VectorLog(nats),
  openSearch,
  bm25,
  extractor: new WorkerExtractor({ onBatch: (seconds) => graphExtractSeconds.observe(seconds) }),
});

const workLease = (
  nats: NatsConnection,
  stores: Stores,
  { replicas, isAlone }: IngestConfig,
  logger: Logger,
  metrics: Metrics,
): WorkLease | Promise<WorkLease> => {
  if (!isAlone) return openLease(nats, { name: leaseNameOf(buildOf(stores).id), replicas }, logger, metrics);
  metrics.leaseHeld.set(1);
  return UNSHARED;
};

/** How long a process that could not read new read models has to say so. */
const OBJECTION_MS = 250;

const buildSwitch = (
  nats: NatsConnection,
  stores: Stores,
  lease: WorkLease,
  { isAlone = false }: IngestConfig,
  logger: Logger,
): BuildSwitch => {
  objectToReplacements(nats, { usesOpenSearch: stores.openSearch !== undefined, isWriter: true });
  const objections = (replacing: ReadModelsReplacing): Promise<number> =>
    askAll(nats, { subject: REPLACING_SUBJECT, message: JSON.stringify(replacing), waitMs: OBJECTION_MS });
  return new BuildSwitch({
    stores,
    lease,
    isAlone,
    objections: isAlone ? () => Promise.resolve(0) : objections,
    logger,
  });
};

const startProjections = async (
  nats: NatsConnection,
  stores: Stores,
  lease: WorkLease,
  builds: BuildSwitch,
  { keywordIndexWaitMs = KEYWORD_INDEX_WAIT_MS, isAlone = false }: IngestConfig,
  logger: Logger,
  metrics: Metrics,
): Promise<ProjectionRunner> => {
  const shared = isAlone ? {} : { onApplied: reportApplied(nats) };
  const projections = new ProjectionRunner({ ...stores, keywordIndexWaitMs, logger, metrics, builds, ...shared });
  if (!isAlone) followApplied(nats, builds.turn, projections);
  lease.onlyWhile(() => projections.isFit);
  try {
    await lease.start();
    await projections.start();
  } catch (thrown) {
    await builds.stop();
    await lease.stop();
    throw thrown;
  }
  return projections;
};

/** The library has caught up by then, so an installation without workspaces is known to be new. */
const openSecrets = async ({ vault, pool }: Stores): Promise<InstanceSecrets> => {
  const secrets = (await vault.findSecrets()) ?? (await foundSecrets(vault, pool));
  await keepSecretsCopy(pool, vault);
  return secrets;
};

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

const storeWatch = (
  nats: NatsConnection,
  stores: Stores,
  projections: ProjectionRunner,
  models: VectorModelStore,
  ledger: LedgerKeeper,
  { replicas, storeLookPauseMs: lookPauseMs }: IngestConfig,
  logger: Logger,
  metrics: Metrics,
): StoreWatch =>
  new StoreWatch({
    nats,
    stores: watchedStores({ nats, stores, projections, models, ledger, replicas }),
    raiseReplicas: () => raiseReplicas(nats, replicas),
    replicas,
    lookPauseMs,
    logger,
    metrics,
  });

/** A broker without the log accepts no changes either. */
const brokerProblemOf =
  ({ brokerProblem }: IngestConfig, watch: StoreWatch) =>
  (): string | undefined =>
    brokerProblem?.() ?? watch.logProblem;

/** The parts of ingest, in dependency order. */
export const INGEST_PROVIDERS: Provider[] = [
  { provide: SERVERS, inject: [CONFIG, LOGGER], useFactory: openServers },
  { provide: NATS, inject: [SERVERS, CONFIG], useFactory: openBroker },
  { provide: Vault, inject: [NATS, CONFIG], useFactory: openVault },
  { provide: Database, inject: [SERVERS, Vault], useFactory: migrated },
  { provide: STORES, inject: [NATS, Vault, Database, SERVERS, CONFIG, Metrics], useFactory: openStores },
  { provide: LEASE, inject: [NATS, STORES, CONFIG, LOGGER, Metrics], useFactory: workLease },
  {
    provide: BuildSwitch,
    inject: [NATS, STORES, LEASE, CONFIG, LOGGER],
    useFactory: buildSwitch,
  },
  { provide: TURN, inject: [BuildSwitch], useFactory: (builds: BuildSwitch) => builds.turn },
  {
    provide: ProjectionRunner,
    inject: [NATS, STORES, LEASE, BuildSwitch, CONFIG, LOGGER, Metrics],
    useFactory: startProjections,
  },
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
    inject: [STORES, CommandWriter, CLOCK, LOGGER, TURN],
    useFactory: ({ pool, vault }: Stores, writer: CommandWriter, clock: Clock, logger: Logger, turn: Turn) =>
      new ConfirmationSweeper({
        pool,
        vault,
        clock,
        logger,
        turn,
        expire: (workspaceId, confirmationId) => writer.endConfirmation('expire', workspaceId, confirmationId),
      }),
  },
  {
    provide: ReviewCounter,
    inject: [STORES, Metrics, LOGGER, TURN],
    useFactory: ({ pool }: Stores, metrics: Metrics, logger: Logger, turn: Turn) =>
      new ReviewCounter({ pool, metrics, logger, turn }),
  },
  {
    provide: VectorModelStore,
    inject: [NATS, CONFIG, Vault],
    useFactory: (nats: NatsConnection, { replicas }: IngestConfig) => VectorModelStore.create(nats, replicas),
  },
  {
    provide: VectorKeeper,
    inject: [NATS, STORES, VectorModelStore, CLOCK, LOGGER, TURN, ProjectionRunner],
    useFactory: (
      nats: NatsConnection,
      { pool, vectors }: Stores,
      store: VectorModelStore,
      clock: Clock,
      logger: Logger,
      turn: Turn,
    ) => new VectorKeeper({ nats, pool, vectors, store, clock, logger, turn }),
  },
  {
    provide: VectorIndexes,
    inject: [STORES, CONFIG, LOGGER, TURN],
    useFactory: ({ pool }: Stores, { residentMb }: IngestConfig, logger: Logger, turn: Turn) =>
      new VectorIndexes({ pool, residentMb, logger, turn }),
  },
  {
    provide: StoreWatch,
    inject: [NATS, STORES, ProjectionRunner, VectorModelStore, LedgerKeeper, CONFIG, LOGGER, Metrics],
    useFactory: storeWatch,
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
    inject: [STORES, SECRETS, LedgerKeeper, CommandWriter, CLOCK, LOGGER, Metrics, TURN],
    useFactory: (
      stores: Stores,
      secrets: InstanceSecrets,
      ledger: LedgerKeeper,
      writer: CommandWriter,
      clock: Clock,
      logger: Logger,
      metrics: Metrics,
      turn: Turn,
    ) =>
      new ErasureWorker({
        ...stores,
        turn,
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
    inject: [
      CommandWriter,
      ProjectionRunner,
      NATS,
      STORES,
      Corrections,
      LedgerKeeper,
      ErasureWorker,
      LOGGER,
      CONFIG,
      StoreWatch,
      BuildSwitch,
    ],
    useFactory: (
      writer: CommandWriter,
      projections: ProjectionRunner,
      nats: NatsConnection,
      { pool, vault }: Stores,
      corrections: Corrections,
      ledger: LedgerKeeper,
      erasure: ErasureWorker,
      logger: Logger,
      config: IngestConfig,
      watch: StoreWatch,
      builds: BuildSwitch,
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
        brokerProblem: brokerProblemOf(config, watch),
        readModelsProblem: () => builds.problem,
      }),
  },
  {
    provide: IngestStatus,
    inject: [NATS, STORES, ProjectionRunner, RotationWorker, LEASE, CONFIG, StoreWatch, BuildSwitch],
    useFactory: (
      nats: NatsConnection,
      { pool }: Stores,
      projections: ProjectionRunner,
      rotation: RotationWorker,
      lease: WorkLease,
      config: IngestConfig,
      watch: StoreWatch,
      builds: BuildSwitch,
    ) =>
      new IngestStatus({
        nats,
        projections,
        rotation,
        lease,
        probeDatabase: () => pool.query('select 1'),
        brokerProblem: brokerProblemOf(config, watch),
        readModelsProblem: () => builds.problem,
        streamProblems: () => watch.streamProblems,
      }),
  },
];
