import { jetstreamManager, type StoredMsg } from '@nats-io/jetstream';
import type { NatsConnection } from './connection.js';

/** "No message found", as reported by a lookup and by a deletion. */
const NOT_THERE = new Set([404, 10037, 10043, 10057]);

const isNotThere = (thrown: unknown): boolean => {
  const { code, api_error: api } = thrown as { code?: number; api_error?: () => { err_code: number } };
  return NOT_THERE.has(api?.call(thrown).err_code ?? code ?? 0);
};

const unlessNotThere = async <T>(work: Promise<T>): Promise<T | undefined> => {
  try {
    return await work;
  } catch (thrown) {
    if (isNotThere(thrown)) return undefined;
    throw thrown;
  }
};

/**
 * Removes messages and their bytes on disk: a plain delete leaves them there. Messages that are already gone are
 * skipped.
 */
export const eraseMessages = async (
  nats: NatsConnection,
  stream: string,
  positions: readonly number[],
): Promise<void> => {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  for (const position of positions) await unlessNotThere(manager.streams.deleteMessage(stream, position, true));
};

/** The messages of a subject, oldest first. */
export async function* messagesOf(nats: NatsConnection, stream: string, subject: string): AsyncGenerator<StoredMsg> {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  let seq = 1;
  for (;;) {
    const found = await unlessNotThere(manager.direct.getMessage(stream, { seq, next_by_subj: subject }));
    if (!found) return;
    yield found;
    seq = found.seq + 1;
  }
}

/** Which of these positions still have a message. */
export const presentMessages = async (
  nats: NatsConnection,
  stream: string,
  positions: readonly number[],
): Promise<number[]> => {
  const manager = await jetstreamManager(nats, { checkAPI: false });
  const present: number[] = [];
  for (const seq of positions) {
    if (await unlessNotThere(manager.direct.getMessage(stream, { seq }))) present.push(seq);
  }
  return present;
};
