import type { EmbedderView, QueryVector, Readiness } from '@cairn/contracts';
import { openEmbeddingModel, type EmbeddingModel } from '@cairn/embedding';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { VectorLog } from '@cairn/op-log';
import { JetStreamKeyStore, KeyRing, Vault } from '@cairn/vault';
import type { OnApplicationShutdown } from '@nestjs/common';
import type { EmbedderConfig } from './config.js';
import { EmbedWorker } from './embed-worker.js';
import { ModelHolder } from './model-holder.js';

/** The only place that runs a model: for stored texts from OPLOG to VECTORS, and for queries on request. */
export class EmbedderService implements OnApplicationShutdown {
  private worker: EmbedWorker | undefined;

  private constructor(
    private readonly nats: NatsConnection,
    private readonly holder: ModelHolder,
  ) {}

  static async open(
    config: EmbedderConfig,
    logger: Logger,
    metrics: Metrics,
    openModel: () => Promise<EmbeddingModel> = () =>
      openEmbeddingModel(config.model, { cacheDir: config.cacheDir, log: (line) => logger.info(line) }),
  ): Promise<EmbedderService> {
    const nats = await connectNats(config.natsUrl, 'embedder');
    const vault = new Vault(new KeyRing(config), await JetStreamKeyStore.open(nats));
    const holder = new ModelHolder(openModel, logger);
    const service = new EmbedderService(nats, holder);
    holder.whenReady((model) => {
      const { mustYield } = config;
      service.worker = new EmbedWorker({
        nats,
        vectors: new VectorLog(nats),
        vault,
        model,
        logger,
        metrics,
        mustYield,
      });
      service.worker.start();
    });
    holder.start();
    return service;
  }

  view(): EmbedderView {
    return this.holder.view();
  }

  /** Ready without a model: texts wait for their vectors, and a search answers by keywords. */
  check(): Readiness {
    const { note } = this.view();
    return { ready: true, notes: note === undefined ? [] : [note] };
  }

  async embedQuery(text: string): Promise<QueryVector> {
    const model = this.holder.current;
    const vector = await model.embed(text, 'query');
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    return { model: model.id, dims: model.dimensions, vector: bytes.toString('base64') };
  }

  async onApplicationShutdown(): Promise<void> {
    // The model refuses what still waits for it, so that the worker need not embed all it has taken.
    const workerClosed = this.worker?.close();
    await this.holder.close();
    await workerClosed;
    await this.nats.close();
  }
}
