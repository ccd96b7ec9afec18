import { fail } from '@cairn/contracts';
import { errors, type NatsConnection } from '@nats-io/transport-node';

export interface DirectQuestion {
  readonly subject: string;
  readonly message: string;
  readonly waitMs: number;
}

/** Asks the only subscriber of a subject. Undefined, and at once, if there is none any more. */
export const askOne = async (
  nats: NatsConnection,
  { subject, message, waitMs }: DirectQuestion,
): Promise<string | undefined> => {
  try {
    return (await nats.request(subject, message, { timeout: waitMs })).string();
  } catch (thrown) {
    if (thrown instanceof errors.RequestError && thrown.isNoResponders()) return undefined;
    if (thrown instanceof errors.TimeoutError)
      throw fail('service.timeout', 'another replica did not answer in time; try again', {}, thrown);
    throw fail('service.unavailable', 'another replica is unreachable; try again', {}, thrown);
  }
};
