import {
  fail,
  VectorMessage,
  vectorMessageId,
  vectorSubject,
  VECTORS_STREAM,
  type VectorMessage as Message,
} from '@cairn/contracts';
import { jetstreamManager } from '@nats-io/jetstream';
import { headers, type NatsConnection } from '@nats-io/transport-node';
import type { EntryReader } from './op-log.port.js';
import { StreamReader } from './stream-reader.js';

export interface StoredVector {
  readonly position: number;
  readonly message: Message;
}

const PUBLISH_TIMEOUT_MS = 5_000;
const decoder = new TextDecoder();

const decode = (position: number, body: Uint8Array): StoredVector => {
  try {
    return { position, message: VectorMessage.parse(JSON.parse(decoder.decode(body))) };
  } catch (thrown) {
    throw fail('contract.unknown_event', `the vector at position ${position} is not readable`, { position }, thrown);
  }
};

/** VECTORS: derived, but kept, so that a rebuild calls no model. */
export class VectorLog {
  constructor(private readonly nats: NatsConnection) {}

  async publish(message: Message): Promise<void> {
    const map = headers();
    map.set('Nats-Msg-Id', vectorMessageId(message));
    const reply = await this.nats
      .request(vectorSubject(message.workspace), JSON.stringify(message), { headers: map, timeout: PUBLISH_TIMEOUT_MS })
      .catch((thrown: unknown) => {
        throw fail('oplog.unavailable', 'VECTORS did not acknowledge', {}, thrown);
      });
    const ack = JSON.parse(decoder.decode(reply.data)) as { error?: { err_code: number } };
    if (ack.error) throw fail('oplog.unavailable', 'VECTORS refused a vector', { brokerCode: ack.error.err_code });
  }

  async head(): Promise<number> {
    const manager = await jetstreamManager(this.nats, { checkAPI: false });
    return (await manager.streams.info(VECTORS_STREAM)).state.last_seq;
  }

  read(fromPosition: number): EntryReader<StoredVector> {
    return new StreamReader(this.nats, VECTORS_STREAM, fromPosition, ({ position, body }) => decode(position, body));
  }
}
