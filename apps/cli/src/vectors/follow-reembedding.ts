import { setTimeout as delay } from 'node:timers/promises';
import type { VectorModels } from '@cairn/contracts';
import type { VectorModelStore } from '@cairn/op-log';
import type { Pool } from 'pg';
import { RefusedError } from '../exit.js';
import { countVectors } from './vector-counts.js';

export interface ReembedProgress {
  readonly id: string;
  readonly done: number;
  readonly chunks: number;
  readonly perSecond: number;
}

const LOOK_EVERY_MS = 1_000;

interface Followed {
  readonly pool: Pool;
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
  { pool, store }: Followed,
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
      const { chunks, vectors } = await countVectors(pool, models);
      const done = vectors[models.next.id] ?? 0;
      started ??= { at: performance.now(), done };
      const seconds = (performance.now() - started.at) / 1_000;
      const perSecond = seconds > 0 ? (done - started.done) / seconds : 0;
      onProgress({ id: models.next.id, done, chunks, perSecond: Math.round(perSecond) });
    }
    await delay(LOOK_EVERY_MS);
  }
};

const withoutOrder = ({ order: _, ...models }: VectorModels): VectorModels => models;
