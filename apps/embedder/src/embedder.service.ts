import type { EmbedderView, QueryVector, Readiness } from '@cairn/contracts';
import { VectorLog } from '@cairn/op-log';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { EmbedWorker, type EmbedWorkerOptions } from './embed-worker.js';
import type { ModelHolder } from './model-holder.js';

export interface EmbedderParts extends Pick<EmbedWorkerOptions, 'nats' | 'vault' | 'logger' | 'metrics' | 'mustYield'> {
  readonly holder: ModelHolder;
}

/** The only place that runs a model: for stored texts from OPLOG to VECTORS, and for queries on request. */
export class EmbedderService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly holder: ModelHolder;
  private worker: EmbedWorker | undefined;

  constructor(private readonly parts: EmbedderParts) {
    this.holder = parts.holder;
  }

  /** Does not wait for the model: until it is loaded, texts wait for their vectors and a search uses keywords. */
  onApplicationBootstrap(): void {
    const { nats, vault, logger, metrics, mustYield } = this.parts;
    this.holder.whenReady((model) => {
      this.worker = new EmbedWorker({ nats, vectors: new VectorLog(nats), vault, model, logger, metrics, mustYield });
      this.worker.start();
    });
    this.holder.start();
  }

  view(): EmbedderView {
    return this.holder.view();
  }

  /** Ready even without a model, as at the start. */
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
    // The model rejects the texts that still wait for it, so the worker need not embed everything it has taken.
    const workerClosed = this.worker?.close();
    await this.holder.close();
    await workerClosed;
    await this.parts.nats.close();
  }
}
