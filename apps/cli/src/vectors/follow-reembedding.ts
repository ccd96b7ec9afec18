import { setTimeout as delay } from 'node:timers/promises';
import type { VectorModels } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import { embeddingProgress, type EmbeddingProgress, type VectorModelStore } from '@cairn/op-log';
import { RefusedError } from '../exit.js';

export interface ReembedProgress extends EmbeddingProgress {
  readonly id: string;
  readonly perSecond: number;
}

const LOOK_EVERY_MS = 1_000;
const NOTHING_YET: EmbeddingProgress = { done: 0, total: 0 };

interface Followed {
  readonly nats: NatsConnection;
  readonly store: VectorModelStore;
}

/** Whether nothing is left to wait for: no order, and no next vectors except those that are held. */
const isDone = ({ order, next }: VectorModels): boolean =>
  !order && (!next || (next.hold && next.parity !== undefined));

/**
 * Waits until searches use the next vectors, or until they are complete and held. The work itself is done by the
 * services, so it continues if this is interrupted.
 */
export const followReembedding = async (
  { nats, store }: Followed,
  onProgress: (progress: ReembedProgress) => void,
): Promise<VectorModels> => {
  let started: { readonly at: number; readonly done: number } | undefined;
  for (;;) {
    const models = (await store.get())!;
    if (models.order?.problem !== undefined) {
      await store.update((now) => now && withoutOrder(now));
      throw new RefusedError(`the model cannot be opened: ${models.order.problem}`);
    }
    if (isDone(models)) return models;
    if (models.next) {
      // From the broker: counting rows would keep the embedded database from answering searches.
      const { done, total } = (await embeddingProgress(nats, models.next.id)) ?? NOTHING_YET;
      started ??= { at: performance.now(), done };
      const seconds = (performance.now() - started.at) / 1_000;
      const perSecond = seconds > 0 ? (done - started.done) / seconds : 0;
      onProgress({ id: models.next.id, done, total, perSecond: Math.round(perSecond) });
    }
    await delay(LOOK_EVERY_MS);
  }
};

const withoutOrder = ({ order: _, ...models }: VectorModels): VectorModels => models;
