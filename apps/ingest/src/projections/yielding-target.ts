import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionTarget } from '@cairn/op-log';

const LOOK_EVERY_MS = 20;
/** Commands may arrive without a pause; a batch is then applied this often, so the follower makes progress. */
const WAIT_MS_MAX = 500;

const untilIdle = async (isBusy: () => boolean): Promise<void> => {
  const deadlineMs = performance.now() + WAIT_MS_MAX;
  while (isBusy() && performance.now() < deadlineMs) await delay(LOOK_EVERY_MS);
};

/**
 * A target that waits while commands are in progress. It gets no announcements, since work done in advance would also
 * take the processor from the commands.
 */
export const yieldingTarget = <T>(target: ProjectionTarget<T>, isBusy: () => boolean): ProjectionTarget<T> => ({
  name: target.name,
  checkpoint: () => target.checkpoint(),
  apply: async (entries, expected, reached) => {
    await untilIdle(isBusy);
    return target.apply(entries, expected, reached);
  },
});
