import { setTimeout as delay } from 'node:timers/promises';
import { MixedCalls } from './mixed-calls.js';

export interface Settled {
  /** Projections that did not reach the head of their log in time. */
  readonly stalled: readonly string[];
  /** Titles of items that did not get their vectors in time. */
  readonly withoutVector: readonly string[];
}

export interface SettledOptions {
  readonly url: string;
  readonly token: string;
  readonly timeoutMs: number;
}

const LOOK_EVERY_MS = 250;

/** Waits until every projection has caught up and every item has its vectors; returns what did not in time. */
export const untilSettled = async ({ url, token, timeoutMs }: SettledOptions): Promise<Settled> => {
  const calls = new MixedCalls(token);
  const look = async (): Promise<Settled> => ({
    stalled: (await calls.projections(url)).filter(({ lagOps }) => lagOps > 0).map(({ name }) => name),
    withoutVector: (await calls.items(url))
      .filter(({ embeddingStatus }) => embeddingStatus !== 'ready')
      .map(({ title, embeddingStatus }) => `${title} is ${embeddingStatus}`),
  });
  try {
    const deadline = performance.now() + timeoutMs;
    for (;;) {
      const settled = await look();
      const isDone = settled.stalled.length + settled.withoutVector.length === 0;
      if (isDone || performance.now() > deadline) return settled;
      await delay(LOOK_EVERY_MS);
    }
  } finally {
    calls.close();
  }
};
