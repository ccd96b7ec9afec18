import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import type { Msg, NatsConnection, Subscription } from '@nats-io/transport-node';
import {
  ServerNats,
  type CustomStrategy,
  type Deserializer,
  type IncomingRequest,
  type Serializer,
} from '@nestjs/microservices';
import { natsServers } from './nats-servers.js';

/**
 * Nest's own packets wrap a request twice and need Nest at both ends. Cairn's packets are plain JSON, so that any NATS
 * client can call a service, and a request is parsed once.
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

/** How long a shutdown waits for the broker, which may be unreachable. */
const BROKER_WAIT_MS = 1_000;

const unlessSlow = (work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, delay(BROKER_WAIT_MS, undefined, { ref: false })]);

/**
 * Nest's NATS server with an orderly shutdown: it accepts no new requests, answers the accepted ones, then closes.
 * Nest's own server waits for a fixed time instead, which is too short for a command and too long for an idle service.
 */
class DrainingNatsServer extends ServerNats {
  private client: NatsConnection | undefined;
  private readonly taking: Subscription[] = [];
  private readonly inFlight = new Set<Promise<unknown>>();

  constructor(
    options: ConstructorParameters<typeof ServerNats>[0],
    private readonly queue: string,
  ) {
    super(options);
  }

  override bindEvents(client: NatsConnection): void {
    this.client = client;
    for (const subject of this.messageHandlers.keys()) {
      const callback = (error: Error | null, message: Msg): void => void this.take(subject, error, message);
      this.taking.push(client.subscribe(subject, { queue: this.queue, callback }));
    }
  }

  private async take(subject: string, error: Error | null, message: Msg): Promise<void> {
    if (error) return this.handleError(error.message);
    const handled = this.handleMessage(subject, message)
      .catch((thrown: unknown) => this.handleError(String(thrown)))
      .finally(() => this.inFlight.delete(handled));
    this.inFlight.add(handled);
    await handled;
  }

  override async close(): Promise<void> {
    await unlessSlow(Promise.allSettled(this.taking.splice(0).map((subscription) => subscription.drain())));
    while (this.inFlight.size > 0) await Promise.all(this.inFlight);
    // Nest sends an answer in the turn after its handler resolves.
    await nextTurn();
    await unlessSlow(this.client?.flush().catch(() => undefined) ?? Promise.resolve());
    await super.close();
  }
}

/** Options for `createMicroservice`: replicas with the same queue name share the requests. */
export const natsTransport = (url: string, queue: string): CustomStrategy => ({
  strategy: new DrainingNatsServer(
    {
      ...natsServers(url),
      name: `${queue}-requests`,
      maxReconnectAttempts: -1,
      reconnectTimeWait: 250,
      waitOnFirstConnect: true,
      serializer: new PlainReplySerializer(),
      deserializer: new PlainRequestDeserializer(),
    },
    queue,
  ),
});
