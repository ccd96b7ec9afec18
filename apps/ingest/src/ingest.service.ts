import {
  fail,
  KEYWORD_INDEX_WAIT_MS,
  noticeOf,
  noticeSubject,
  PURGE_WANTED_SUBJECT,
  systemPrincipal,
  TOKEN_REVOKED_SUBJECT,
  type CommandData,
  type CommandResult,
  type CommandType,
  type LoggedCommandType,
  type DomainEvent,
  type EventData,
  type IngestView,
  type LedgerEntry,
  type Readiness,
} from '@cairn/contracts';
import { openCorrectionProposer } from '@cairn/correction';
import { systemClock, systemIds, type Clock, type IdGenerator } from '@cairn/kernel';
import { connectNats, type NatsConnection, type ParsedRequest } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { checkServer, ensureStreams, ForgetLedger, JetStreamOpLog, VectorLog } from '@cairn/op-log';
import { connectOpenSearch, Database, databaseError } from '@cairn/persistence';
import { JetStreamKeyStore, KeyRing, Vault, type InstanceSecrets } from '@cairn/vault';
import { callerCommandId, receiptCommandId } from './commands/command-id.js';
import { GroupCommit } from './commands/group-commit.js';
import { prepare } from './commands/prepare.js';
import type { CommandRequest } from './commands/prepare-common.js';
import type { PreparedCommand } from './commands/prepared-command.js';
import { loadState } from './commands/state.loader.js';
import type { IngestConfig } from './config.js';
import { ConfirmationSweeper } from './confirmations/confirmation-sweeper.js';
import { JetStreamCorrectionStore, type CorrectionStore } from './corrections/correction-store.js';
import { Corrections } from './corrections/corrections.js';
import { ErasureWorker, type ErasureWorkerOptions } from './erasure/erasure-worker.js';
import { LedgerKeeper } from './erasure/ledger-keeper.js';
import { ProjectionRunner } from './projections/projection-runner.js';
import { foundSecrets } from './rotation/found-secrets.js';
import { RotationWorker } from './rotation/rotation-worker.js';

/**
 * Commands that change what exists already: everybody's next search shows it as it is now, so they are answered once the
 * keyword index has them. What was newly stored may be found a moment later.
 */
const CHANGES_WHAT_EXISTS: ReadonlySet<CommandType> = new Set<CommandType>([
  'item.update',
  'item.supersede',
  'item.forget',
  'chunk.forget',
  'chunk.correct',
  'folder.configure',
]);

/** The write side: carries out commands and keeps the read models up to date. */
export class IngestService {
  private ready = false;
  private readonly sweeper: ConfirmationSweeper;
  private readonly ledger: LedgerKeeper;
  private erasure: ErasureWorker | undefined;
  private readonly underWay = new Set<Promise<unknown>>();

  private constructor(
    private readonly nats: NatsConnection,
    private readonly database: Database,
    private readonly vault: Vault,
    private readonly secrets: InstanceSecrets,
    private readonly projections: ProjectionRunner,
    private readonly commits: GroupCommit,
    private readonly proposals: CorrectionStore,
    private readonly corrections: Corrections,
    private readonly rotation: RotationWorker,
    private readonly brokerProblem: () => string | undefined,
    private readonly logger: Logger,
    clock: Clock,
  ) {
    const { pool } = database;
    const end = (action: 'expire' | 'erase') => (workspaceId: string, confirmationId: string) =>
      this.carryOut('confirmation.resolve', {
        id: systemIds.next(),
        correlationId: confirmationId,
        principal: systemPrincipal(workspaceId),
        data: { confirmationId, action },
      } as never);
    this.sweeper = new ConfirmationSweeper({ pool, vault, clock, logger, expire: end('expire') });
    const forget = (entry: LedgerEntry) => this.forgetAgain(entry);
    this.ledger = new LedgerKeeper({
      pool,
      vault,
      ledger: new ForgetLedger(nats),
      logger,
      forget,
      eraseWaiting: end('erase'),
    });
  }

  static async open(
    config: IngestConfig,
    logger: Logger,
    metrics: Metrics,
    clock: Clock = systemClock,
  ): Promise<IngestService> {
    const nats = await connectNats(config.natsUrl, 'ingest');
    await checkServer(nats, {
      monitorUrl: config.natsMonitorUrl,
      isProven: config.isBrokerProven,
      warn: (message) => logger.warn(message),
    });
    await ensureStreams(nats, config.replicas);
    const vault = new Vault(new KeyRing(config), await JetStreamKeyStore.create(nats, config.replicas));
    // First: nothing is to be written with the KEK of another installation.
    const known = await vault.findSecrets().catch(async (thrown: unknown) => {
      await nats.close();
      throw thrown;
    });
    const database = await Database.connect({
      url: config.databaseUrl,
      applicationName: 'cairn-ingest',
      pipeline: true,
    });
    await database.migrate();
    const { pool } = database;
    const log = await JetStreamOpLog.open(nats);
    const openSearch = config.openSearchUrl === undefined ? undefined : connectOpenSearch(config.openSearchUrl);
    const projections = new ProjectionRunner({
      pool,
      log,
      vectors: new VectorLog(nats),
      vault,
      openSearch,
      bm25: config.bm25,
      keywordIndexWaitMs: config.keywordIndexWaitMs ?? KEYWORD_INDEX_WAIT_MS,
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
      clock,
      ids: systemIds,
      onCarried: (workspaceId, events, position) => tellChanges(nats, workspaceId, events, position),
      onAppend: (result, seconds) => {
        metrics.oplogAppends.inc({ result });
        metrics.oplogAppendSeconds.observe(seconds);
      },
    });
    const store = await JetStreamCorrectionStore.create(nats, config.replicas);
    const proposer = openCorrectionProposer(config.correction);
    const corrections = new Corrections({ pool, vault, proposer, store, clock, ids: systemIds });
    await projections.start();
    const secrets = known ?? (await foundSecrets(vault, pool));
    const rotation = new RotationWorker({ vault, pool, clock, logger, metrics, onDone: config.onRotated });
    const service = new IngestService(
      nats,
      database,
      vault,
      secrets,
      projections,
      commits,
      store,
      corrections,
      rotation,
      config.brokerProblem ?? (() => undefined),
      logger,
      clock,
    );
    config.stopping?.addEventListener('abort', () => void corrections.finish());
    await service.ledger.reapply();
    service.sweeper.start();
    rotation.start();
    const stores = { pool, vault, secrets, log, vectors: new VectorLog(nats), openSearch };
    if (config.erases !== false)
      service.startErasing(new ErasureWorker({ ...stores, ...service.erasurePorts(), clock, logger, metrics }));
    service.ready = true;
    return service;
  }

  private erasurePorts(): Pick<ErasureWorkerOptions, 'issue' | 'isBusy' | 'record'> {
    return {
      record: (receiptIds) => this.ledger.record(receiptIds),
      isBusy: () => this.isBusy,
      issue: (receipt) => this.issueReceipt(receipt),
    };
  }

  issueReceipt(data: EventData<'receipt.issued'>): Promise<unknown> {
    const { receiptId, workspaceId } = data;
    const request = {
      id: receiptCommandId(receiptId),
      correlationId: receiptId,
      principal: systemPrincipal(workspaceId),
      data,
    };
    return this.append('receipt.issue', request as never);
  }

  private startErasing(worker: ErasureWorker): void {
    this.erasure = worker;
    worker.start();
    this.nats.subscribe(PURGE_WANTED_SUBJECT, { callback: () => worker.purgeSoon() });
  }

  private get isReady(): boolean {
    return this.ready && !this.nats.isClosed() && this.projections.isCaughtUp;
  }

  check(): Readiness {
    if (this.brokerProblem() !== undefined) return { ready: false, notes: ['the broker does not accept writes'] };
    return { ready: this.isReady, notes: [] };
  }

  view(): IngestView {
    const brokerProblem = this.brokerProblem();
    return { keys: this.rotation.view(), ...(brokerProblem !== undefined && { brokerProblem }) };
  }

  /** Carries out a command from outside. Its id is a key that the caller chose, so it gets one of its own. */
  carryOut<T extends CommandType>(type: T, request: ParsedRequest<never>): Promise<CommandResult<T>> {
    const { id: sentAs, principal } = request;
    const command = { ...request, sentAs, id: callerCommandId(principal.tokenId, sentAs) };
    const answered = this.answer(type, command).finally(() => this.underWay.delete(answered));
    this.underWay.add(answered);
    return answered;
  }

  /** The wait takes no turn among the commands of the workspace; when it is over in vain, the op is durable all the same. */
  private async answer<T extends CommandType>(type: T, request: CommandRequest<never>): Promise<CommandResult<T>> {
    const problem = this.brokerProblem();
    // Refused at once: the broker would leave it without an answer until the time limit.
    if (problem !== undefined) throw fail('oplog.unavailable', `${problem}, then try again`);
    const result = await this.decided(type, request);
    if (CHANGES_WHAT_EXISTS.has(type) && 'position' in result) await this.projections.indexed(result.position);
    return result;
  }

  private async decided<T extends CommandType>(type: T, request: CommandRequest<never>): Promise<CommandResult<T>> {
    if (type === 'chunk.propose') return this.corrections.propose(request) as Promise<CommandResult<T>>;
    if (type === 'chunk.correct') {
      const append = () => this.append(type, request);
      return this.corrections.apply(request, append as never) as Promise<CommandResult<T>>;
    }
    const result = (await this.append(type, request)) as CommandResult<T>;
    if (type === 'item.forget' || type === 'chunk.forget')
      await this.recordForgotten(result as CommandResult<'item.forget'>);
    if (type === 'token.revoke') this.tellRevoked(result as CommandResult<'token.revoke'>);
    if (type === 'confirmation.resolve') await this.destroyKey(request);
    return result;
  }

  private async append(
    type: LoggedCommandType,
    request: CommandRequest<never>,
    ids: IdGenerator = systemIds,
  ): Promise<unknown> {
    const context = {
      pool: this.database.pool,
      vault: this.vault,
      secrets: this.secrets,
      ids,
      corrections: this.proposals,
    };
    return this.commits.submit(await prepare(type, request, context));
  }

  /** It is forgotten whatever becomes of this; the worker tries again before it destroys a key. */
  private async recordForgotten({ receiptId }: CommandResult<'item.forget'>): Promise<void> {
    await this.ledger.record([receiptId]).catch((thrown: unknown) => {
      this.logger.warn({ err: thrown, receiptId }, 'a forgetting is not in the forget ledger yet');
    });
    this.erasure?.poke();
  }

  /** As it was forgotten the first time, and under the same receipt, which somebody may hold. */
  private forgetAgain({ workspaceId, itemId, chunkId, receiptId }: LedgerEntry): Promise<unknown> {
    const [type, what] =
      chunkId === null ? (['item.forget', { itemId }] as const) : (['chunk.forget', { chunkId }] as const);
    const request = {
      id: systemIds.next(),
      correlationId: receiptId,
      principal: systemPrincipal(workspaceId),
      data: { ...what, surface: 'rest' },
    };
    return this.append(type, request as never, { next: () => receiptId });
  }

  /** Ends what nobody has decided in time; also called by a timer. */
  sweepConfirmations(): Promise<void> {
    return this.sweeper.sweep();
  }

  /** The decision stands whatever becomes of the key; the sweeper tries again. What can be restored keeps its key. */
  private async destroyKey({
    principal,
    data: { confirmationId, action },
  }: ParsedRequest<CommandData<'confirmation.resolve'>>): Promise<void> {
    if (action === 'dismiss' || action === 'restore') return;
    await this.vault.destroy(principal.workspaceId, confirmationId).catch((thrown: unknown) => {
      this.logger.warn({ err: thrown, confirmationId }, 'the key of a decided confirmation is not destroyed yet');
    });
  }

  /** The library says so already; this only spares the gateways the second until they ask again. */
  private tellRevoked({ tokenId }: CommandResult<'token.revoke'>): void {
    if (!this.nats.isClosed()) this.nats.publish(TOKEN_REVOKED_SUBJECT, tokenId);
  }

  /** True while a caller waits for a command. */
  get isBusy(): boolean {
    return this.commits.isBusy;
  }

  /** Answers what was taken; a caller that is cut off would have to ask again. */
  async finish(): Promise<void> {
    this.ready = false;
    await this.corrections.finish();
    await this.commits.idle();
    await Promise.allSettled(this.underWay);
  }

  onApplicationShutdown(): Promise<void> {
    return this.close();
  }

  async close(): Promise<void> {
    this.ready = false;
    await this.sweeper.stop();
    await this.erasure?.stop();
    await this.rotation.stop();
    await this.projections.stop();
    await this.database.close();
    // A broker that is gone has nothing left to drain.
    await this.nats.drain().catch(() => undefined);
  }
}

/** Whoever looks at the workspace at the moment asks anew; a message that is lost costs a late look. */
const tellChanges = (
  nats: NatsConnection,
  workspaceId: string,
  events: readonly DomainEvent[],
  position: number,
): void => {
  if (nats.isClosed()) return;
  const first = position - events.length + 1;
  for (const [i, event] of events.entries()) {
    const notice = noticeOf(event, first + i);
    if (notice) nats.publish(noticeSubject(workspaceId), JSON.stringify(notice));
  }
};
