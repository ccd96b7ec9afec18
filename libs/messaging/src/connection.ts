import { setTimeout as delay } from 'node:timers/promises';
import { inboxOf } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { connectProblem, foreignUser } from './connect-problem.js';
import type { NatsAccess } from './nats-access.js';
import { natsOptions, RECONNECT_WAIT_MS } from './nats-options.js';

export type { NatsConnection };

/** How long startup waits for a broker that is starting too, before it reports the broker as unavailable. */
const FIRST_CONNECT_MS = 30_000;

/** With the user of another service, every request would wait for a reply that the broker does not deliver. */
const withOwnInbox = async (nats: NatsConnection, access: NatsAccess, user: string): Promise<NatsConnection> => {
  let isRefused = false;
  const callback = (error: Error | null): void => {
    isRefused ||= error instanceof errors.PermissionViolationError;
  };
  const inbox = nats.subscribe(`${inboxOf(user)}.check`, { callback });
  await nats.flush();
  if (!isRefused) inbox.unsubscribe();
  else {
    await nats.close();
    throw foreignUser(access, user);
  }
  return nats;
};

/** `user` is the name of the service, or of the tool that an operator runs. */
export const connectNats = async (
  access: NatsAccess,
  user: string,
  patienceMs = FIRST_CONNECT_MS,
): Promise<NatsConnection> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      // Avoids capturing a stack trace for every request; Cairn's own errors name the called service.
      const nats = await connect({ ...natsOptions(access, user), noAsyncTraces: true });
      return await withOwnInbox(nats, access, user);
    } catch (thrown) {
      if (thrown instanceof AppError) throw thrown;
      const { error, isFinal } = connectProblem(access, thrown);
      if (isFinal || performance.now() > deadline) throw error;
      await delay(RECONNECT_WAIT_MS);
    }
  }
};
