import { setTimeout as delay } from 'node:timers/promises';
import {
  asAppError,
  fail,
  orderSettled,
  withConfigured,
  type EmbedderView,
  type QueryVector,
  type Readiness,
  type VectorMessage,
  type VectorModel,
} from '@cairn/contracts';
import { parseVectorsId, vectorsId, type EmbeddingModel } from '@cairn/embedding';
import { VectorLog, type VectorModelStore } from '@cairn/op-log';
import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import type { ModelShelf } from './model-shelf.js';
import type { VectorMaker } from './vector-maker.js';
import { VectorSets, type VectorSetsOptions } from './vector-sets.js';

export interface EmbedderParts extends Omit<VectorSetsOptions, 'holderOf'> {
  readonly shelf: ModelShelf;
  readonly store: VectorModelStore;
  /** Called when queries can be embedded, possibly several times. */
  readonly onReady?: (() => void) | undefined;
}

const LOOK_EVERY_MS = 500;
const NO_RECORD = 'the record of the vector models cannot be read yet';

/** The only place that runs a model: for stored texts from OPLOG to VECTORS, and for queries on request. */
export class EmbedderService implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly sets: VectorSets;
  private readonly stopping = new AbortController();
  private following: Promise<void> | undefined;
  private lastRecord = '';

  constructor(private readonly parts: EmbedderParts) {
    this.sets = new VectorSets({ ...parts, holderOf: (source) => parts.shelf.holderOf(source) });
  }

  /** Does not wait for a model: until it is loaded, texts wait for their vectors and a search uses keywords. */
  onApplicationBootstrap(): void {
    const { configured } = this.parts.shelf;
    configured.whenReady((model) => {
      this.following = this.follow(model);
    });
    configured.start();
  }

  /**
   * Adds the configured model to the record, and then looks at it again and again: it changes rarely, both sets of
   * vectors are complete when it does, and a look costs less than a subscription that must not be lost.
   */
  private async follow(model: EmbeddingModel): Promise<void> {
    let hasBegun = false;
    while (!this.stopping.signal.aborted) {
      try {
        if (!hasBegun) await this.begin(model);
        hasBegun = true;
        await this.look();
        if (this.canEmbed) this.parts.onReady?.();
      } catch (thrown) {
        // The bucket exists once ingest has started.
        this.parts.logger.debug({ err: thrown }, 'the models of the vectors cannot be read now; trying again');
      }
      await delay(LOOK_EVERY_MS, undefined, { signal: this.stopping.signal }).catch(() => undefined);
    }
  }

  private async begin(model: EmbeddingModel): Promise<void> {
    const { store, shelf, nats } = this.parts;
    const configured = vectorsFrom(model, shelf.sourceOf(model));
    const lastUsed = lastVectors(await new VectorLog(nats).newest(), model, configured);
    await store.update((models) => withConfigured(models, configured, { lastUsed, nowMs: Date.now() }));
  }

  private async look(): Promise<void> {
    const models = await this.parts.store.get();
    if (!models || this.stopping.signal.aborted) return;
    const record = JSON.stringify(models);
    if (record !== this.lastRecord) this.sets.apply(models);
    this.lastRecord = record;
    if (models.order && models.order.problem === undefined) await this.settle(models.order.source);
  }

  /** Opens an ordered model to learn its id. The record shows the operator why a model cannot be opened. */
  private async settle(source: string): Promise<void> {
    const outcome = await this.parts.shelf.tryOpen(source).then(
      (model) => vectorsFrom(model, source),
      (thrown: unknown) => ({ problem: asAppError(thrown).message }),
    );
    await this.parts.store.update((models) =>
      models?.order?.source === source ? orderSettled(models, outcome, Date.now()) : models,
    );
  }

  view(): EmbedderView {
    const { current } = this.sets;
    if (!current) return this.viewBefore();
    const { live, next } = current;
    const view = (this.sets.holderOf(live.id) ?? this.parts.shelf.configured).view();
    const problem = this.sets.problemOf(live.id);
    return {
      ...view,
      ...(view.model !== null && { model: live.id }),
      ...(problem !== undefined && { note: problem }),
      ...(next && { next: next.id }),
    };
  }

  private viewBefore(): EmbedderView {
    const view = this.parts.shelf.configured.view();
    return view.model === null ? view : { model: null, label: null, dims: null, note: NO_RECORD };
  }

  /** Ready once queries can be embedded; until then only other replicas get them. */
  check(): Readiness {
    const { note } = this.view();
    return { ready: this.canEmbed, notes: note === undefined ? [] : [note] };
  }

  async embedQuery(text: string): Promise<QueryVector> {
    const { id, model } = this.makerForQueries();
    const vector = await model.embed(text, 'query');
    const bytes = Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
    return { model: id, dims: model.dimensions, vector: bytes.toString('base64') };
  }

  /**
   * The one of the live vectors. If their model cannot be opened any more, the next ones are better than none, although
   * they are not complete.
   */
  private makerForQueries(): VectorMaker {
    const maker = this.findMaker();
    if (maker) return maker;
    const reason = this.view().note;
    throw fail('embedder.unavailable', 'no embedding model is loaded; try again', { ...(reason && { reason }) });
  }

  private findMaker(): VectorMaker | undefined {
    const { live, next } = this.sets.current ?? {};
    return live && (this.sets.makerOf(live.id) ?? (next && this.sets.makerOf(next.id)));
  }

  private get canEmbed(): boolean {
    return this.findMaker() !== undefined;
  }

  async onApplicationShutdown(): Promise<void> {
    this.stopping.abort();
    await this.following;
    // The models reject the texts that still wait for them, so the workers need not embed everything they have taken.
    const stopped = this.sets.stop();
    await this.parts.shelf.close();
    await stopped;
    await this.parts.nats.close();
  }
}

/** The vectors that this build makes with a model. */
const vectorsFrom = (model: EmbeddingModel, source: string): VectorModel => ({
  id: vectorsId(model.id),
  source,
  dims: model.dimensions,
});

/** The vectors that an installation without a record of its models has: the newest one names them. */
const lastVectors = (
  newest: Pick<VectorMessage, 'model' | 'dims'> | undefined,
  model: EmbeddingModel,
  configured: VectorModel,
): VectorModel | undefined => {
  if (!newest) return undefined;
  const { model: id, dims } = newest;
  const modelId = parseVectorsId(id)?.modelId ?? id;
  return { id, source: modelId === model.id ? configured.source : modelId, dims };
};
