import { fail } from '@cairn/contracts';
import { assert } from '@cairn/kernel';
import {
  eraseMessages,
  messagesOf,
  publishAtomically,
  type NatsConnection,
  type PublishedMessage,
} from '@cairn/messaging';
import { JetStreamApiError, jetstreamManager } from '@nats-io/jetstream';

/** A message that a stream has lost, and the position that it had there. */
export interface LostMessage {
  readonly position: number;
  readonly subject: string;
  readonly body: Uint8Array | string;
  /** As when it was first published, so that a repeated append of it is still recognised. */
  readonly id: string;
}

/** Consecutive positions that are published together: a message, or a placeholder where nothing is to be restored. */
export interface RefillBatch {
  readonly after: number;
  readonly messages: readonly (LostMessage | undefined)[];
}

/** Below the broker's limit of messages for one batch, and small enough to stay in its memory until it is complete. */
const BATCH_MAX = 500;
const BATCH_BYTES_MAX = 4 * 1_048_576;
const PUBLISH_TIMEOUT_MS = 30_000;
/** Erasing waits for the disk each time; several share a wait. */
const ERASED_TOGETHER = 32;

const NO_STREAM = 10059;
/** "Wrong last sequence", and the same for a message of a batch. */
const WRITTEN_MEANWHILE = new Set([10071, 10164]);

/** Covers every position behind `after` up to `reached`, in order. */
export function* refillBatches(
  lost: readonly LostMessage[],
  after: number,
  reached: number,
): Generator<RefillBatch, void, void> {
  const byPosition = new Map(lost.map((message) => [message.position, message]));
  let start = after;
  let messages: (LostMessage | undefined)[] = [];
  let bytes = 0;
  for (let position = after + 1; position <= reached; position++) {
    const message = byPosition.get(position);
    const size = message?.body.length ?? 0;
    if (messages.length === BATCH_MAX || (messages.length > 0 && bytes + size > BATCH_BYTES_MAX)) {
      yield { after: start, messages };
      [start, messages, bytes] = [position - 1, [], 0];
    }
    messages.push(message);
    bytes += size;
  }
  if (messages.length > 0) yield { after: start, messages };
}

/**
 * Writes lost messages to the positions that they had. A position without a message gets a placeholder, which is erased
 * at once, so that later positions are the same as before. It may be killed at any time: the next one continues behind
 * the last position.
 */
export class StreamRefill {
  private readonly placeholder: PublishedMessage;

  /** `placeholderSubject` is a subject of the stream that no reader follows. */
  constructor(
    private readonly nats: NatsConnection,
    private readonly stream: string,
    placeholderSubject: string,
  ) {
    this.placeholder = { subject: placeholderSubject, body: '' };
  }

  /** How many messages the stream has, and the position of the last one it ever had. A missing stream is empty. */
  async state(): Promise<{ readonly messages: number; readonly last: number }> {
    try {
      const { streams } = await jetstreamManager(this.nats, { checkAPI: false });
      const { messages, last_seq: last } = (await streams.info(this.stream)).state;
      return { messages, last };
    } catch (thrown) {
      if (thrown instanceof JetStreamApiError && thrown.code === NO_STREAM) return { messages: 0, last: 0 };
      throw fail('oplog.unavailable', `stream ${this.stream} is unavailable; try again`, {}, thrown);
    }
  }

  isPlaceholder(subject: string): boolean {
    return subject === this.placeholder.subject;
  }

  /** Durable when it resolves. The stream must end at `after`, and ends at `reached` then. */
  async write(lost: readonly LostMessage[], after: number, reached: number): Promise<void> {
    for (const batch of refillBatches(lost, after, reached)) {
      await this.publish(batch);
      await this.erase(batch.messages.flatMap((message, i) => (message ? [] : [batch.after + 1 + i])));
    }
  }

  /** Removes the placeholders that a killed refill has left. */
  async erasePlaceholders(): Promise<void> {
    const left: number[] = [];
    for await (const { seq } of messagesOf(this.nats, this.stream, this.placeholder.subject)) left.push(seq);
    await this.erase(left);
  }

  async erase(positions: readonly number[]): Promise<void> {
    for (let start = 0; start < positions.length; start += ERASED_TOGETHER) {
      const together = positions.slice(start, start + ERASED_TOGETHER);
      await Promise.all(together.map((position) => eraseMessages(this.nats, this.stream, [position])));
    }
  }

  private async publish({ after, messages }: RefillBatch): Promise<void> {
    const published = messages.map((message, i): PublishedMessage => {
      const headers = {
        ...(message && { 'Nats-Msg-Id': message.id }),
        ...(i === 0 && { 'Nats-Expected-Last-Sequence': String(after) }),
      };
      const { subject, body } = message ?? this.placeholder;
      return { subject, body, headers };
    });
    const ack = await publishAtomically(this.nats, published, PUBLISH_TIMEOUT_MS).catch((thrown: unknown) => {
      throw fail('oplog.unavailable', `stream ${this.stream} is unavailable; try again`, {}, thrown);
    });
    if (!ack) throw fail('oplog.unavailable', `stream ${this.stream} did not acknowledge; try again`);
    if (ack.error && WRITTEN_MEANWHILE.has(ack.error.err_code))
      throw fail('oplog.conflict', `another process writes to stream ${this.stream}; stop it and try again`);
    if (ack.error || ack.duplicate)
      throw fail('oplog.unavailable', `stream ${this.stream} refused a message at position ${after + 1} or later`, {
        brokerCode: ack.error?.err_code,
      });
    assert(ack.seq === after + messages.length, `stream ${this.stream} is at ${ack.seq} after a refill`);
  }
}
