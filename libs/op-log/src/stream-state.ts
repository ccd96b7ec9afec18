import type { NatsConnection } from '@cairn/messaging';
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';
import { addStream } from './streams.js';

/** In the metadata of a stream, which a snapshot keeps: a stream that was created again has another one, or none. */
const GENERATION = 'cairn.generation';
const NO_STREAM = 10059;

export interface StreamState {
  /** The last position that was given to a message, whether or not that one was erased. */
  readonly last: number;
  readonly generation: string | undefined;
}

export const isNoStream = (thrown: unknown): boolean =>
  thrown instanceof JetStreamApiError && thrown.code === NO_STREAM;

/** Undefined if the stream does not exist. */
export const streamState = async (nats: NatsConnection, stream: string): Promise<StreamState | undefined> => {
  const { streams } = await jetstreamManager(nats, { checkAPI: false });
  try {
    const { state, config } = await streams.info(stream);
    return { last: state.last_seq, generation: config.metadata?.[GENERATION] };
  } catch (thrown) {
    if (isNoStream(thrown)) return undefined;
    throw thrown;
  }
};

/** Gives an existing stream its generation. */
export const setGeneration = async (nats: NatsConnection, stream: string, generation: string): Promise<void> => {
  const { streams } = await jetstreamManager(nats, { checkAPI: false });
  const { config } = await streams.info(stream);
  await streams.update(stream, { metadata: { ...config.metadata, [GENERATION]: generation } });
};

/** Creates a stream that does not exist any more. */
export const createStream = async (nats: NatsConnection, stream: string, replicas: number): Promise<void> =>
  addStream(await jetstreamManager(nats, { checkAPI: false }), stream, replicas);

export interface ReplacedStream {
  readonly replicas: number;
  readonly generation: string;
  /** Positions are never used twice, so the new stream continues the numbers of the lost one. */
  readonly firstPosition: number;
}

/** Replaces a stream, or what is left of it, by an empty one. */
export const replaceStream = async (
  nats: NatsConnection,
  stream: string,
  { replicas, generation, firstPosition }: ReplacedStream,
): Promise<void> => {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  await manager.streams.delete(stream).catch((thrown: unknown) => {
    if (!isNoStream(thrown)) throw thrown;
  });
  await addStream(manager, stream, replicas, {
    first_seq: firstPosition,
    metadata: { [GENERATION]: generation },
  });
};
