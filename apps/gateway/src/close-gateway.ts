import { setTimeout as delay } from 'node:timers/promises';
import { DRAIN_MS_MAX } from '@cairn/contracts';
import type { GatewayRuntime } from './gateway.module.js';
import type { ConnectionDrain } from './http/connection-drain.js';

/**
 * Stops serving without losing an answer (ADR 0140): load balancers see that the gateway is not ready and get time to
 * act on it; then no connection is accepted, every request is answered, and streams are ended.
 */
export const closeGateway = async (
  runtime: GatewayRuntime,
  connections: ConnectionDrain,
  stopDelayMs: number,
): Promise<void> => {
  const { readiness, streams, dispatcher, watch, sessions, events, sse, stateless } = runtime;
  readiness.drain();
  connections.leave();
  await delay(stopDelayMs);
  streams.close();
  const closed = connections.close(DRAIN_MS_MAX);
  // Streams do not end by themselves, and one of them may still have to carry the answer of a call.
  const answered = connections.answered((res) => streams.isHeld(res)).then(() => dispatcher.answered());
  await Promise.race([answered, closed]);
  watch.close();
  sessions.closeAll();
  events.closeAll();
  await sse.closeAll();
  await stateless.close();
  await closed;
};
