import {
  Transport,
  type Deserializer,
  type IncomingRequest,
  type NatsOptions,
  type Serializer,
} from '@nestjs/microservices';
import type { Msg } from '@nats-io/transport-node';
import { natsServers } from './nats-servers.js';

/**
 * Nest's own packets wrap a request twice and count on Nest at both ends. Ours are plain JSON, so that any NATS client
 * can speak to a service, and a request is parsed once.
 */
class PlainRequestDeserializer implements Deserializer<Msg, IncomingRequest> {
  deserialize(message: Msg): IncomingRequest {
    return { pattern: message.subject, data: message.data, id: message.reply ?? '' };
  }
}

interface NestPacket {
  readonly response?: string;
  readonly err?: unknown;
}

class PlainReplySerializer implements Serializer<NestPacket, { data: string }> {
  serialize(packet: NestPacket): { data: string } {
    if (packet.response !== undefined) return { data: packet.response };
    return {
      data: JSON.stringify({ error: { code: 'internal.defect', kind: 'defect', message: 'no answer', details: {} } }),
    };
  }
}

/** Options for `connectMicroservice`: replicas with one queue name share the requests. */
export const natsTransport = (url: string, queue: string): NatsOptions => ({
  transport: Transport.NATS,
  options: {
    ...natsServers(url),
    queue,
    name: `${queue}-requests`,
    maxReconnectAttempts: -1,
    reconnectTimeWait: 250,
    waitOnFirstConnect: true,
    gracefulShutdown: true,
    gracePeriod: 250,
    serializer: new PlainReplySerializer(),
    deserializer: new PlainRequestDeserializer(),
  },
});
