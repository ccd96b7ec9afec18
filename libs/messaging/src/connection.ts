import { connect, type NatsConnection } from '@nats-io/transport-node';

export type { NatsConnection };

/** How long between two tries to reach the broker again; tries never end, a supervisor or the cluster brings it back. */
const RECONNECT_WAIT_MS = 250;

export const connectNats = (url: string, name: string): Promise<NatsConnection> =>
  connect({
    servers: url.split(','),
    name,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_WAIT_MS,
    reconnectJitter: 50,
    waitOnFirstConnect: true,
    pingInterval: 10_000,
  });
