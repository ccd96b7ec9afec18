import { setImmediate as nextTurn, setTimeout as delay } from 'node:timers/promises';
import { isCommandSubject, ownSubject } from '@cairn/contracts';
import { InFlight } from '@cairn/kernel';
import { errors, type Msg, type NatsConnection, type Subscription } from '@nats-io/transport-node';
import { ServerNats, type Deserializer, type IncomingRequest, type Serializer } from '@nestjs/microservices';
import type { NatsAccess } from './nats-access.js';
import { natsOptions } from './nats-options.js';

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
/** How long requests whose work was aborted may take to be answered with the error. */
const ABORTED_WAIT_MS = 1_000;

const within = (ms: number, work: Promise<unknown>): Promise<unknown> =>
  Promise.race([work, delay(ms, undefined, { ref: false })]);

/** What `@MessagePattern` takes for a request that needs more than a started process. */
export const WHEN_READY = { whenReady: true };

/**
 * Nest's NATS server with an orderly shutdown: it accepts no new requests, answers the accepted ones, then closes.
 * Nest's own server waits for a fixed time instead, which is too short for a command and too long for an idle service.
 */
export class DrainingNatsServer extends ServerNats {
  /** A subject that the broker does not let this service receive. */
  refusedSubject: string | undefined;
  private client: NatsConnection | undefined;
  private readonly taking: Subscription[] = [];
  private readonly inFlight = new InFlight();
  private isReady = false;
  private isDraining = false;

  constructor(
    options: ConstructorParameters<typeof ServerNats>[0],
    private readonly queue: string,
    /** Takes commands under this id too, so that those of one workspace can be sent to one replica. */
    private readonly replicaId?: string,
  ) {
    super(options);
  }

  override bindEvents(client: NatsConnection): void {
    this.client = client;
    this.subscribe((whenReady) => this.isReady || !whenReady);
  }

  /** Accepts the requests that were marked `WHEN_READY`, too; until then the other replicas get them. */
  takeAll(): void {
    if (this.isReady) return;
    this.isReady = true;
    if (this.client && !this.isDraining) this.subscribe((whenReady) => whenReady);
  }

  /** Accepts no more requests, and waits for the answers to the accepted ones. */
  async drain(msMax: number): Promise<void> {
    this.isDraining = true;
    await within(BROKER_WAIT_MS, Promise.allSettled(this.taking.splice(0).map((subscription) => subscription.drain())));
    await within(msMax, this.inFlight.empty());
  }

  override async close(): Promise<void> {
    await this.drain(ABORTED_WAIT_MS);
    // Nest sends an answer in the turn after its handler resolves.
    await nextTurn();
    await within(BROKER_WAIT_MS, this.client?.flush().catch(() => undefined) ?? Promise.resolve());
    await super.close();
  }

  private subscribe(isWanted: (whenReady: boolean) => boolean): void {
    for (const [subject, { extras }] of this.messageHandlers) {
      if (!isWanted(extras?.['whenReady'] === true)) continue;
      const callback = (error: Error | null, message: Msg): void => void this.take(subject, error, message);
      this.taking.push(this.client!.subscribe(subject, { queue: this.queue, callback }));
      if (this.replicaId !== undefined && isCommandSubject(subject))
        this.taking.push(this.client!.subscribe(ownSubject(subject, this.replicaId), { callback }));
    }
  }

  private async take(subject: string, error: Error | null, message: Msg): Promise<void> {
    if (error instanceof errors.PermissionViolationError) this.refusedSubject ??= subject;
    if (error) return this.handleError(error.message);
    await this.inFlight.run(() =>
      this.handleMessage(subject, message).catch((thrown: unknown) => this.handleError(String(thrown))),
    );
  }
}

/** The strategy for `createMicroservice`: replicas with the same queue name share the requests. */
export const natsTransport = (access: NatsAccess, queue: string, replicaId?: string): DrainingNatsServer =>
  new DrainingNatsServer(
    {
      ...natsOptions(access, queue, `${queue}-requests`),
      waitOnFirstConnect: true,
      serializer: new PlainReplySerializer(),
      deserializer: new PlainRequestDeserializer(),
    },
    queue,
    replicaId,
  );
