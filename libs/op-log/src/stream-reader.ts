import { DeliverPolicy, jetstream, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import type { NatsConnection, QueuedIterator, Status } from '@nats-io/transport-node';
import { EntryQueue } from './entry-queue.js';
import type { EntryReader } from './op-log.port.js';

export interface StreamEntry {
  readonly position: number;
  readonly subject: string;
  readonly body: Uint8Array;
  readonly atMs: number;
}

/**
 * How much is fetched ahead of the reader. Bytes, not messages: the broker drops a connection that has more than 64 MB
 * waiting, all readers of a process share one, and an op may have 1 MiB.
 */
const PREFETCH_BYTES = 4 * 1_048_576;
const RETRY_MS = 250;
const QUEUE_MAX = 4_000;

/**
 * Reads a stream in order from a position, without end. The server's consumer is only a cache: whenever it is lost (broker
 * restarted, connection lost) a new one starts after the last entry seen, so no entry is skipped or returned twice.
 */
export class StreamReader<T> implements EntryReader<T> {
  private readonly queue = new EntryQueue<T>();
  private messages: ConsumerMessages | undefined;
  private closed = false;
  private nextPosition: number;
  private readonly statuses: QueuedIterator<Status>;

  constructor(
    private readonly nats: NatsConnection,
    private readonly stream: string,
    fromPosition: number,
    private readonly decode: (entry: StreamEntry) => T,
  ) {
    this.nextPosition = fromPosition;
    // The declared type does not show that it can be stopped; if it were not, it would stay with the connection forever.
    this.statuses = nats.status() as unknown as QueuedIterator<Status>;
    void this.run();
    void this.watchConnection();
  }

  next(max: number, waitMs: number): Promise<readonly T[]> {
    return this.queue.next(max, waitMs);
  }

  async close(): Promise<void> {
    this.closed = true;
    this.messages?.stop();
    this.statuses.stop();
    await this.queue.close();
  }

  private async run(): Promise<void> {
    while (!this.closed) {
      try {
        await this.consume();
      } catch (thrown) {
        if (thrown instanceof UndecodableEntry) return this.queue.fail(thrown.cause);
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  }

  private async consume(): Promise<void> {
    const consumer = await jetstream(this.nats).consumers.get(this.stream, {
      deliver_policy: DeliverPolicy.StartSequence,
      opt_start_seq: this.nextPosition,
    });
    this.messages = await consumer.consume({ max_bytes: PREFETCH_BYTES, idle_heartbeat: 1_000, expires: 10_000 });
    // Closed while the consumer was being created: nothing else stops it.
    if (this.closed) return this.messages.stop();
    for await (const message of this.messages) {
      if (this.closed) return;
      this.take(message);
      while (this.queue.size > QUEUE_MAX && !this.closed) await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  private take(message: JsMsg): void {
    if (message.seq < this.nextPosition) return;
    this.nextPosition = message.seq + 1;
    const entry = { position: message.seq, subject: message.subject, body: message.data, atMs: message.time.getTime() };
    try {
      this.queue.push(this.decode(entry));
    } catch (cause) {
      throw new UndecodableEntry(cause as Error);
    }
  }

  /** A restarted broker does not know the reader's consumer; waiting for missed heartbeats would take seconds. */
  private async watchConnection(): Promise<void> {
    for await (const status of this.statuses) if (status.type === 'reconnect') this.messages?.stop();
  }
}

class UndecodableEntry extends Error {
  constructor(override readonly cause: Error) {
    super('undecodable entry');
  }
}
