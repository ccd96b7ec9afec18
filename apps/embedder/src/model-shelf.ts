import type { EmbeddingModel } from '@cairn/embedding';
import type { Logger } from '@cairn/observability';
import { ModelHolder } from './model-holder.js';

export interface ModelShelfOptions {
  readonly openConfigured: () => Promise<EmbeddingModel>;
  readonly openFrom: (source: string) => Promise<EmbeddingModel>;
  /** From where the configured model can be opened again. */
  readonly sourceOf: (model: EmbeddingModel) => string;
  readonly logger: Logger;
}

/** The models in use, each opened once: the configured one, and others by their source. */
export class ModelShelf {
  readonly configured: ModelHolder;
  private readonly bySource = new Map<string, ModelHolder>();

  constructor(private readonly options: ModelShelfOptions) {
    this.configured = new ModelHolder(options.openConfigured, options.logger);
    this.configured.whenReady((model) => this.bySource.set(options.sourceOf(model), this.configured));
  }

  sourceOf(model: EmbeddingModel): string {
    return this.options.sourceOf(model);
  }

  /** Opens the model when it is started; the holder keeps trying while the model is unavailable. */
  holderOf(source: string): ModelHolder {
    const { openFrom, logger } = this.options;
    const holder = this.bySource.get(source) ?? new ModelHolder(() => openFrom(source), logger);
    this.bySource.set(source, holder);
    return holder;
  }

  /** The model of a source; rejects if it cannot be opened now. */
  async tryOpen(source: string): Promise<EmbeddingModel> {
    const known = this.bySource.get(source);
    if (known?.isLoaded) return known.current;
    const model = await this.options.openFrom(source);
    this.bySource.set(source, ModelHolder.of(model, this.options.logger));
    return model;
  }

  async close(): Promise<void> {
    await Promise.all([this.configured, ...this.bySource.values()].map((holder) => holder.close()));
  }
}
