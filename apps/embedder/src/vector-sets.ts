import { keptModels, type VectorModel, type VectorModels } from '@cairn/contracts';
import type { EmbeddingModel } from '@cairn/embedding';
import { VectorLog } from '@cairn/op-log';
import { EmbedWorker, type EmbedWorkerOptions } from './embed-worker.js';
import type { ModelHolder } from './model-holder.js';
import { makerFor, type VectorMaker } from './vector-maker.js';

export interface VectorSetsOptions extends Pick<
  EmbedWorkerOptions,
  'nats' | 'vault' | 'logger' | 'metrics' | 'mustYield'
> {
  /** The holder of the model from this source; the same one for the same source. */
  readonly holderOf: (source: string) => ModelHolder;
}

/** The vectors of one id, and the worker that makes them once their model is open. */
interface VectorSet {
  readonly holder: ModelHolder;
  /** Why its model cannot be used. */
  problem?: string;
  maker?: VectorMaker;
  worker?: EmbedWorker;
  isStopped: boolean;
}

/** Makes the vectors that are kept: those that searches use, the next ones, and the previous ones. */
export class VectorSets {
  private readonly sets = new Map<string, VectorSet>();
  private models: VectorModels | undefined;
  /** Ops that the live vectors are behind. The others wait for them. */
  private liveBacklog = 0;

  constructor(private readonly options: VectorSetsOptions) {}

  /** Starts the workers of new ids and stops those of ids that are no longer kept. */
  apply(models: VectorModels): void {
    this.models = models;
    if (!models.next) this.options.metrics.reembeddingBacklogOps.set(0);
    const kept = keptModels(models);
    for (const [id, set] of this.sets) if (!kept.some((model) => model.id === id)) void this.stopSet(id, set);
    for (const model of kept) if (!this.sets.has(model.id)) this.startSet(model);
  }

  get current(): VectorModels | undefined {
    return this.models;
  }

  /** Its model may still be loading. */
  holderOf(id: string): ModelHolder | undefined {
    return this.sets.get(id)?.holder;
  }

  /** Why the model of these vectors is open and cannot be used. */
  problemOf(id: string): string | undefined {
    return this.sets.get(id)?.problem;
  }

  makerOf(id: string): VectorMaker | undefined {
    return this.sets.get(id)?.maker;
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sets].map(([id, set]) => this.stopSet(id, set)));
  }

  private startSet(vectors: VectorModel): void {
    const set: VectorSet = { holder: this.options.holderOf(vectors.source), isStopped: false };
    this.sets.set(vectors.id, set);
    set.holder.whenReady((model) => this.modelReady(vectors, set, model));
    set.holder.start();
  }

  private modelReady(vectors: VectorModel, set: VectorSet, model: EmbeddingModel): void {
    if (set.isStopped) return;
    const { nats, vault, logger, metrics } = this.options;
    const { id } = vectors;
    const maker = makerFor(vectors, model);
    if ('problem' in maker) {
      set.problem = maker.problem;
      logger.warn({ id, model: model.id }, `these vectors do not grow: ${maker.problem}`);
      return;
    }
    set.maker = maker;
    set.worker = new EmbedWorker({
      ...{ nats, vectors: new VectorLog(nats), vault, maker, logger, metrics },
      mustYield: () => this.mustYield(id),
      onBacklog: (ops) => this.backlogIs(id, ops),
    });
    set.worker.start();
  }

  private mustYield(id: string): boolean {
    return this.options.mustYield?.() === true || (id !== this.models?.live.id && this.liveBacklog > 0);
  }

  private backlogIs(id: string, ops: number): void {
    const { metrics } = this.options;
    if (id === this.models?.next?.id) metrics.reembeddingBacklogOps.set(ops);
    if (id !== this.models?.live.id) return;
    this.liveBacklog = ops;
    metrics.embeddingBacklogOps.set(ops);
  }

  private async stopSet(id: string, set: VectorSet): Promise<void> {
    this.sets.delete(id);
    set.isStopped = true;
    await set.worker?.close();
  }
}
