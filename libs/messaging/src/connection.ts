import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/contracts';
import { connect, errors, type NatsConnection } from '@nats-io/transport-node';
import { natsServers } from './nats-servers.js';

export type { NatsConnection };

/** Once connected, reconnection attempts never end: a supervisor or the cluster restarts the broker. */
const RECONNECT_WAIT_MS = 250;
/** How long startup waits for a broker that is starting too, before it reports the broker as unavailable. */
const FIRST_CONNECT_MS = 30_000;

export const connectNats = async (
  url: string,
  name: string,
  patienceMs = FIRST_CONNECT_MS,
): Promise<NatsConnection> => {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await connect({
        ...natsServers(url),
        name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_WAIT_MS,
        reconnectJitter: 50,
        pingInterval: 10_000,
        // Avoids capturing a stack trace for every request; Cairn's own errors name the called service.
        noAsyncTraces: true,
      });
    } catch (thrown) {
      if (thrown instanceof errors.AuthorizationError) throw refused(url, thrown);
      if (performance.now() > deadline) throw outOfReach(url, thrown);
      await delay(RECONNECT_WAIT_MS);
    }
  }
};

const outOfReach = (url: string, cause: unknown) =>
  fail('oplog.unavailable', `NATS is out of reach at ${natsServers(url).servers.join(', ')} (NATS_URL)`, {}, cause);

const refused = (url: string, cause: unknown) => {
  const hosts = natsServers(url).servers.join(', ');
  return fail('oplog.unavailable', `NATS at ${hosts} refuses the user or password of NATS_URL`, {}, cause);
};
