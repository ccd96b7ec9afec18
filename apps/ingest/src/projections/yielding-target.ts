import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectionTarget } from '@cairn/op-log';

const LOOK_EVERY_MS = 20;
/** Commands have gaps between them even under load, and a batch that begins in a gap delays those that follow it. */
const QUIET_LOOKS = 4;
/**
 * Commands may arrive without a pause; a batch is then applied this often, so the follower makes progress. Shorter than
 * readers wait for their own writes.
 */
const WAIT_MS_MAX = 900;

/**
 * A target that waits until no command has been in progress for a moment. It gets no announcements, since work done in
 * advance would also take the processor from the commands.
 */
export const yieldingTarget = <T>(target: ProjectionTarget<T>, isBusy: () => boolean): ProjectionTarget<T> => {
  // Looks in a row that saw no command. They are kept from batch to batch: on an idle system only the first one waits.
  let quiet = 0;
  const isQuiet = (): boolean => (quiet = isBusy() ? 0 : quiet + 1) >= QUIET_LOOKS;
  const untilQuiet = async (): Promise<void> => {
    const deadlineMs = performance.now() + WAIT_MS_MAX;
    while (!isQuiet() && performance.now() < deadlineMs) await delay(LOOK_EVERY_MS);
  };
  return {
    name: target.name,
    checkpoint: () => target.checkpoint(),
    apply: async (entries, expected, reached) => {
      await untilQuiet();
      return target.apply(entries, expected, reached);
    },
  };
};
