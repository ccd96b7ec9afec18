import { STREAM_ACCESS } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import {
  JetStreamApiError,
  jetstreamManager,
  PersistMode,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { isNoStream } from './stream-state.js';
import { addStream, BROKERS_MISSING } from './streams.js';

/** "Replicas > 1 not supported in non-clustered mode". */
const NOT_CLUSTERED = 10074;

const hasTooFewBrokers = (thrown: unknown): boolean =>
  thrown instanceof JetStreamApiError && (BROKERS_MISSING.has(thrown.code) || thrown.code === NOT_CLUSTERED);

type Outcome = 'enough' | 'too few brokers';

const raise = async (manager: JetStreamManager, stream: string, replicas: number): Promise<Outcome> => {
  try {
    await manager.streams.update(stream, { num_replicas: replicas });
    return 'enough';
  } catch (thrown) {
    if (hasTooFewBrokers(thrown)) return 'too few brokers';
    throw thrown;
  }
};

/**
 * A stream whose writes are not synced cannot be replicated, and that setting is fixed. Only counters and sign-in codes
 * have it: the counters begin at 0 again, and a code that was not used yet has to be requested again.
 */
const recreate = async (manager: JetStreamManager, stream: string, replicas: number): Promise<Outcome> => {
  await manager.streams.delete(stream);
  await addStream(manager, stream, replicas);
  return 'enough';
};

/**
 * Raises the replicas of all streams and buckets to the number that is wanted, and returns those that the broker has too
 * few nodes for. The log comes first, and nothing is created again unless it could be raised. More replicas than wanted
 * are left alone: an operator lowers them.
 */
export const raiseReplicas = async (nats: NatsConnection, replicas: number): Promise<string[]> => {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const tooFew: string[] = [];
  for (const { stream } of STREAM_ACCESS) {
    const found = await configOf(manager, stream);
    if (!found || found.num_replicas >= replicas) continue;
    const isFixed = found.persist_mode === PersistMode.Async;
    const outcome =
      tooFew.length > 0 ? 'too few brokers' : await (isFixed ? recreate : raise)(manager, stream, replicas);
    if (outcome !== 'enough') tooFew.push(stream);
  }
  return tooFew;
};

/** Undefined if the stream does not exist: a bucket may not have been created yet. */
const configOf = async (manager: JetStreamManager, stream: string): Promise<StreamConfig | undefined> => {
  try {
    return (await manager.streams.info(stream)).config;
  } catch (thrown) {
    if (isNoStream(thrown)) return undefined;
    throw thrown;
  }
};
