import { droppingUnknown, FORGOTTEN_CHUNKS_SUBJECT, ForgottenChunks } from '@cairn/contracts';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger } from '@cairn/observability';
import type { ResidentVectors } from './resident-vectors.js';

type Memory = Pick<ResidentVectors, 'forget' | 'dropAll'>;

/**
 * Removes forgotten chunks from memory and answers when that is done, so that a forgetting is answered after it. After a
 * lost connection some may have been missed, so everything is dropped.
 */
export const followForgettings = async (
  nats: NatsConnection,
  memory: Memory,
  logger: Pick<Logger, 'warn'>,
): Promise<void> => {
  nats.subscribe(FORGOTTEN_CHUNKS_SUBJECT, {
    callback: (error, message) => {
      if (error) return;
      void forgotten(memory, message.data, logger).then(() => message.respond());
    },
  });
  // No vector may be loaded before the broker knows of the subscription.
  await nats.flush();
  void dropAtReconnect(nats, memory);
};

/** Without a readable list of ids, all vectors go. */
const forgotten = async (memory: Memory, data: Uint8Array, logger: Pick<Logger, 'warn'>): Promise<void> => {
  try {
    const { chunkIds } = droppingUnknown(ForgottenChunks).parse(JSON.parse(Buffer.from(data).toString()));
    await memory.forget(chunkIds);
  } catch (thrown) {
    logger.warn({ err: thrown }, 'a message about forgotten chunks is not readable: all vectors in memory are dropped');
    await memory.dropAll();
  }
};

const dropAtReconnect = async (nats: NatsConnection, memory: Memory): Promise<void> => {
  for await (const { type } of nats.status()) if (type === 'reconnect') await memory.dropAll();
};
