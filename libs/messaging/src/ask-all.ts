import { errors, type NatsConnection } from '@nats-io/transport-node';

export interface Question {
  readonly subject: string;
  readonly message: string;
  readonly waitMs: number;
  /** Ends the wait this long after the latest answer. */
  readonly quietMs?: number;
  /** Called with the number of answers so far. */
  readonly onAnswer?: (count: number) => void;
}

/** Asks every subscriber, and returns how many have answered within the time: 0 at once if there is none. */
export const askAll = async (
  nats: NatsConnection,
  { subject, message, waitMs, quietMs, onAnswer }: Question,
): Promise<number> => {
  let count = 0;
  const end = quietMs === undefined ? { strategy: 'timer' as const } : { strategy: 'stall' as const, stall: quietMs };
  try {
    const answers = await nats.requestMany(subject, message, { ...end, maxWait: waitMs });
    for await (const _ of answers) {
      count++;
      onAnswer?.(count);
    }
  } catch (thrown) {
    if (!(thrown instanceof errors.NoRespondersError)) throw thrown;
  }
  return count;
};
