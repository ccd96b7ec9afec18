import { errors, headers, nuid, type MsgHdrs, type NatsConnection } from '@nats-io/transport-node';

export interface PublishedMessage {
  readonly subject: string;
  readonly body: Uint8Array | string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** JetStream's answer to a publish, on success and on refusal. */
export interface PublishAck {
  /** The sequence number of the last message; the others of a batch come right before it. */
  readonly seq?: number;
  readonly duplicate?: boolean;
  /** For a counter stream: the current count of the subject, as digits. */
  readonly val?: string;
  readonly error?: { readonly err_code: number; readonly description: string };
}

const decoder = new TextDecoder();

const headersOf = (message: PublishedMessage, batchId: string | undefined, index: number, isLast: boolean): MsgHdrs => {
  const map = headers();
  for (const [name, value] of Object.entries(message.headers ?? {})) map.set(name, value);
  if (batchId !== undefined) {
    map.set('Nats-Batch-Id', batchId);
    map.set('Nats-Batch-Sequence', String(index + 1));
    if (isLast) map.set('Nats-Batch-Commit', '1');
  }
  return map;
};

/**
 * Stores all messages next to each other, or none: one is a plain publish, several are one atomic batch, of which only
 * the last is acknowledged. Uses the headers directly, because the client hides the code of a refused batch. Undefined
 * if no acknowledgement arrived in time, which never means "failed".
 */
export const publishAtomically = async (
  nats: NatsConnection,
  messages: readonly PublishedMessage[],
  timeoutMs: number,
): Promise<PublishAck | undefined> => {
  const batchId = messages.length > 1 ? nuid.next() : undefined;
  const lastIndex = messages.length - 1;
  messages.slice(0, lastIndex).forEach((message, i) => {
    nats.publish(message.subject, message.body, { headers: headersOf(message, batchId, i, false) });
  });
  const last = messages[lastIndex]!;
  try {
    const options = { headers: headersOf(last, batchId, lastIndex, true), timeout: timeoutMs };
    const reply = await nats.request(last.subject, last.body, options);
    return JSON.parse(decoder.decode(reply.data)) as PublishAck;
  } catch (thrown) {
    if (thrown instanceof errors.TimeoutError) return undefined;
    throw thrown;
  }
};
