import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionTarget } from '@cairn/op-log';

const LOOK_EVERY_MS = 20;
/** Commands have gaps between them even under load, and a batch that begins in a gap delays those that follow it. */
const QUIET_LOOKS = 4;
/** Commands may arrive without a pause; a batch is then applied this often, so the follower makes progress. */
const WAIT_MS_MAX = 1_000;

const untilQuiet = async (isBusy: () => boolean): Promise<void> => {
  const deadlineMs = performance.now() + WAIT_MS_MAX;
  for (let quiet = 0; performance.now() < deadlineMs; await delay(LOOK_EVERY_MS)) {
    quiet = isBusy() ? 0 : quiet + 1;
    if (quiet === QUIET_LOOKS) return;
  }
};

/**
 * A target that waits until no command has been in progress for a moment. It gets no announcements, since work done in advance would also
 * take the processor from the commands.
 */
export const yieldingTarget = <T>(target: ProjectionTarget<T>, isBusy: () => boolean): ProjectionTarget<T> => ({
  name: target.name,
  checkpoint: () => target.checkpoint(),
  apply: async (entries, expected, reached) => {
    await untilQuiet(isBusy);
    return target.apply(entries, expected, reached);
  },
});
