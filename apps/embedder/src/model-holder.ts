import { fail, VECTOR_DIMENSIONS_MAX, type EmbedderView } from '@cairn/contracts';
import type { EmbeddingModel } from '@cairn/embedding';
import { AppError } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';

const RETRY_MIN_MS = 2_000;
const RETRY_MAX_MS = 60_000;

/**
 * Opens the model and keeps trying while it is unavailable. Writes and keyword search continue meanwhile; vectors
 * follow when it is loaded.
 */
export class ModelHolder {
  private model: EmbeddingModel | undefined;
  private problem = 'the model is being loaded';
  private closed = false;
  private isStarted = false;
  private retry: NodeJS.Timeout | undefined;
  private readonly onReady: ((model: EmbeddingModel) => void)[] = [];

  constructor(
    private readonly open: () => Promise<EmbeddingModel>,
    private readonly logger: Logger,
    private readonly retryMinMs = RETRY_MIN_MS,
  ) {}

  /** Holds a model that is already open. */
  static of(model: EmbeddingModel, logger: Logger): ModelHolder {
    const holder = new ModelHolder(() => Promise.resolve(model), logger);
    holder.accept(model);
    return holder;
  }

  /** Does nothing if it was called before. */
  start(): void {
    if (this.model || this.isStarted) return;
    this.isStarted = true;
    void this.tryOpen(this.retryMinMs);
  }

  get current(): EmbeddingModel {
    if (!this.model)
      throw fail('embedder.unavailable', 'no embedding model is loaded; try again', { reason: this.problem });
    return this.model;
  }

  get isLoaded(): boolean {
    return this.model !== undefined;
  }

  view(): EmbedderView {
    if (!this.model) return { model: null, label: null, dims: null, note: this.problem };
    const { id, label, dimensions, problem } = this.model;
    return { model: id, label, dims: dimensions, ...(problem === undefined ? {} : { note: problem }) };
  }

  whenReady(callback: (model: EmbeddingModel) => void): void {
    if (this.model) callback(this.model);
    else this.onReady.push(callback);
  }

  async close(): Promise<void> {
    this.closed = true;
    clearTimeout(this.retry);
    await this.model?.close();
  }

  private async tryOpen(retryMs: number): Promise<void> {
    try {
      const model = await this.open();
      if (this.closed) return await model.close();
      this.accept(model);
    } catch (thrown) {
      this.problem = thrown instanceof AppError ? thrown.message : 'the model could not be loaded';
      this.logger.warn({ err: thrown instanceof AppError ? undefined : thrown }, `no embedding model: ${this.problem}`);
      this.logger.warn('keyword search goes on; texts get their vectors when a model is there');
      if (this.closed) return;
      this.retry = setTimeout(() => void this.tryOpen(Math.min(retryMs * 2, RETRY_MAX_MS)), retryMs);
    }
  }

  private accept(model: EmbeddingModel): void {
    if (model.dimensions > VECTOR_DIMENSIONS_MAX) {
      void model.close();
      throw fail(
        'embedder.model_missing',
        `the model ${model.id} has ${model.dimensions} dimensions; a vector may have ${VECTOR_DIMENSIONS_MAX}`,
      );
    }
    this.model = model;
    this.logger.info({ model: model.id, dims: model.dimensions }, `embedding model ${model.label} is ready`);
    for (const callback of this.onReady.splice(0)) callback(model);
  }
}
