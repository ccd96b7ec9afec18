import {
  fail,
  keepingUnknown,
  VectorMessage,
  vectorMessageId,
  vectorSubject,
  VECTORS_STREAM,
  VECTORS_SUBJECTS,
  type VectorMessage as Message,
} from '@cairn/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import {
  eraseMessages,
  messagesOf,
  publishAtomically,
  type NatsConnection,
  type PublishedMessage,
} from '@cairn/messaging';
import type { EntryReader } from './op-log.port.js';
import { StreamReader } from './stream-reader.js';

export interface StoredVector {
  readonly position: number;
  readonly message: Message;
}

/** Names the vectors that one op gets from one model. */
export type VectorsOfOp = Pick<Message, 'workspace' | 'itemId' | 'position' | 'model'>;

const PUBLISH_TIMEOUT_MS = 5_000;
const decoder = new TextDecoder();

const decode = (position: number, body: Uint8Array): StoredVector => {
  try {
    return { position, message: keepingUnknown(VectorMessage).parse(JSON.parse(decoder.decode(body))) };
  } catch (thrown) {
    throw fail('contract.unreadable', `the vector at position ${position} is not readable`, { position }, thrown);
  }
};

const published = (message: Message): PublishedMessage => ({
  subject: vectorSubject(message.workspace, message.itemId),
  body: JSON.stringify(message),
  headers: { 'Nats-Msg-Id': vectorMessageId(message) },
});

/** VECTORS: derived data, but kept, so that a rebuild calls no model. */
export class VectorLog {
  constructor(private readonly nats: NatsConnection) {}

  /** Durable when it resolves. Several go to the disk together. */
  async publish(...messages: readonly Message[]): Promise<void> {
    const ack = await publishAtomically(this.nats, messages.map(published), PUBLISH_TIMEOUT_MS).catch(
      (thrown: unknown) => {
        throw fail('oplog.unavailable', 'VECTORS is unavailable; try again', {}, thrown);
      },
    );
    if (!ack) throw fail('oplog.unavailable', 'VECTORS did not acknowledge');
    if (!ack.error) return;
    if (messages.length === 1)
      throw fail('oplog.unavailable', 'VECTORS refused a vector', { brokerCode: ack.error.err_code });
    // A batch is rejected when one of its vectors is already stored; sent alone, that one is acknowledged as a duplicate.
    await Promise.all(messages.map((message) => this.publish(message)));
  }

  /** The newest vector that exists: the last sequence of the stream may belong to an erased one. */
  async head(): Promise<number> {
    const manager = await jetstreamManager(this.nats, { checkAPI: false });
    const { state } = await manager.streams.info(VECTORS_STREAM);
    if (state.messages === 0) return 0;
    const last = await manager.streams.getMessage(VECTORS_STREAM, { last_by_subj: VECTORS_SUBJECTS });
    return last?.seq ?? 0;
  }

  /** The id and the length of the newest vector that exists; undefined if there is none. */
  async newest(): Promise<Pick<Message, 'model' | 'dims'> | undefined> {
    const position = await this.head();
    if (position === 0) return undefined;
    const manager = await jetstreamManager(this.nats, { checkAPI: false });
    const last = await manager.direct.getMessage(VECTORS_STREAM, { seq: position });
    return last ? decode(last.seq, last.data).message : undefined;
  }

  /** Positions of the vectors of an item, or of some of its chunks. */
  async positionsOf(workspaceId: string, itemId: string, chunkIds?: readonly string[]): Promise<number[]> {
    const positions: number[] = [];
    try {
      for await (const { seq, data } of messagesOf(this.nats, VECTORS_STREAM, vectorSubject(workspaceId, itemId))) {
        if (!chunkIds || chunkIds.includes(decode(seq, data).message.chunkId)) positions.push(seq);
      }
    } catch (thrown) {
      throw fail('oplog.unavailable', 'VECTORS is unavailable; try again', {}, thrown);
    }
    return positions;
  }

  /** The chunks that already have their vector of this op by this model. */
  async chunksDone({ workspace, itemId, position, model }: VectorsOfOp): Promise<ReadonlySet<string>> {
    const done = new Set<string>();
    for await (const { seq, data } of messagesOf(this.nats, VECTORS_STREAM, vectorSubject(workspace, itemId))) {
      const { message } = decode(seq, data);
      if (message.position === position && message.model === model) done.add(message.chunkId);
    }
    return done;
  }

  /** The vectors of an item, oldest first. */
  async vectorsOf(workspaceId: string, itemId: string): Promise<StoredVector[]> {
    const found: StoredVector[] = [];
    for await (const { seq, data } of messagesOf(this.nats, VECTORS_STREAM, vectorSubject(workspaceId, itemId)))
      found.push(decode(seq, data));
    return found;
  }

  /** Removes the vectors of something forgotten from the stream and from the disk. */
  async erase(positions: readonly number[]): Promise<void> {
    await eraseMessages(this.nats, VECTORS_STREAM, positions).catch((thrown: unknown) => {
      throw fail('oplog.unavailable', 'VECTORS did not erase a vector; try again', {}, thrown);
    });
  }

  /** Removes all vectors of one id. It may be stopped and called again. */
  async eraseModel(model: string, signal: AbortSignal): Promise<void> {
    for await (const { seq, data } of messagesOf(this.nats, VECTORS_STREAM, VECTORS_SUBJECTS)) {
      if (signal.aborted) return;
      if (decode(seq, data).message.model === model) await this.erase([seq]);
    }
  }

  read(fromPosition: number): EntryReader<StoredVector> {
    return new StreamReader(this.nats, VECTORS_STREAM, fromPosition, ({ position, body }) => decode(position, body));
  }
}
