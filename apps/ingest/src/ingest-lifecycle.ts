import { PURGE_WANTED_SUBJECT } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { Database } from '@cairn/persistence';
import type { Stores } from '@cairn/projections';
import { Inject, Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import type { IngestConfig } from './config.js';
import { ConfirmationSweeper } from './confirmations/confirmation-sweeper.js';
import { ErasureWorker } from './erasure/erasure-worker.js';
import { LedgerKeeper } from './erasure/ledger-keeper.js';
import { CONFIG, LEASE, NATS, STORES } from './ingest.providers.js';
import { ProjectionRunner } from './projections/projection-runner.js';
import { ReviewCounter } from './projections/review-counter.js';
import type { WorkLease } from './projections/work-lease.js';
import { VectorIndexes } from './vectors/vector-indexes.js';
import { RotationWorker } from './rotation/rotation-worker.js';
import { StoreWatch } from './stores/store-watch.js';
import { VectorKeeper } from './vectors/vector-keeper.js';

/**
 * Starts the workers before the first request is accepted, and stops them, in order, after the last one is answered.
 */
@Injectable()
export class IngestLifecycle implements OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(CONFIG) private readonly config: IngestConfig,
    @Inject(NATS) private readonly nats: NatsConnection,
    @Inject(STORES) private readonly stores: Stores,
    @Inject(LEASE) private readonly lease: WorkLease,
    private readonly database: Database,
    private readonly projections: ProjectionRunner,
    private readonly ledger: LedgerKeeper,
    private readonly sweeper: ConfirmationSweeper,
    private readonly reviews: ReviewCounter,
    private readonly indexes: VectorIndexes,
    private readonly rotation: RotationWorker,
    private readonly erasure: ErasureWorker,
    private readonly vectors: VectorKeeper,
    private readonly watch: StoreWatch,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.ledger.reapply();
    this.sweeper.start();
    this.reviews.start();
    this.indexes.start();
    this.rotation.start();
    this.vectors.start();
    this.watch.start();
    if (this.config.erases === false) return;
    this.erasure.start();
    this.nats.subscribe(PURGE_WANTED_SUBJECT, { callback: () => this.erasure.purgeSoon() });
  }

  async onApplicationShutdown(): Promise<void> {
    // First, so that another replica takes over while this one ends its work.
    await this.lease.stop();
    await this.sweeper.stop();
    await this.reviews.stop();
    await this.indexes.stop();
    await this.erasure.stop();
    await this.rotation.stop();
    await this.vectors.stop();
    await this.watch.stop();
    await this.projections.stop();
    await this.stores.extractor?.close();
    await this.database.close();
    // A lost broker has nothing left to drain.
    await this.nats.drain().catch(() => undefined);
  }
}
