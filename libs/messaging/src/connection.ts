import { setTimeout as delay } from 'node:timers/promises';
import { fail } from '@cairn/contracts';
import { connect, type NatsConnection } from '@nats-io/transport-node';

export type { NatsConnection };

/** Once connected, tries never end: a supervisor or the cluster brings the broker back. */
const RECONNECT_WAIT_MS = 250;
/** How long a start waits for a broker that comes up beside it, before it says that there is none. */
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
        servers: url.split(','),
        name,
        maxReconnectAttempts: -1,
        reconnectTimeWait: RECONNECT_WAIT_MS,
        reconnectJitter: 50,
        pingInterval: 10_000,
        // Spares every request a stack in case it fails; our own errors name the service that was asked.
        noAsyncTraces: true,
      });
    } catch (thrown) {
      if (performance.now() > deadline) throw outOfReach(url, thrown);
      await delay(RECONNECT_WAIT_MS);
    }
  }
};

/** Without the user and password that a URL may carry. */
const outOfReach = (url: string, cause: unknown) => {
  const hosts = url.split(',').map((server) => server.replace(/^(\w+:\/\/)[^@/]*@/, '$1'));
  return fail('oplog.unavailable', `NATS is out of reach at ${hosts.join(', ')} (NATS_URL)`, {}, cause);
};
