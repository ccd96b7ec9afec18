import {
  droppingUnknown,
  fail,
  PostedToStream,
  REPLICA_ANSWER_MS_MAX,
  sseMessagesSubject,
  Uuid,
} from '@cairn/contracts';
import { askOne, type NatsConnection } from '@cairn/messaging';
import type { McpCaller } from './dispatcher.js';
import type { RpcMessage } from './message-check.js';

export interface PostedMessages {
  readonly streamId: string;
  readonly caller: McpCaller;
  readonly messages: readonly RpcMessage[];
}

/** `unknown`: there is no such stream of this caller. */
export type Delivery = 'accepted' | 'unknown';

/**
 * Passes messages on between gateways: a stream lives in one process, and a message for it may arrive at any (ADR 0123).
 */
export class SseRelay {
  private stopTaking = (): void => undefined;

  constructor(
    private readonly nats: NatsConnection,
    /** Part of the addresses that this process hands out. It is not a secret and grants nothing. */
    readonly replicaId: string,
  ) {}

  /** `deliver` is called with the messages that arrive for the streams of this process. */
  take(deliver: (posted: PostedMessages) => Promise<Delivery>): void {
    const subscription = this.nats.subscribe(sseMessagesSubject(this.replicaId), {
      callback: (error, message) => {
        if (!error) void this.answerOf(message.string(), deliver).then((answer) => message.respond(answer));
      },
    });
    this.stopTaking = () => subscription.unsubscribe();
  }

  /** From now on, other gateways find no one here, and answer that the stream is gone. */
  close(): void {
    this.stopTaking();
  }

  async send(replicaId: string, posted: PostedMessages): Promise<Delivery> {
    // Checked, because it becomes part of a subject.
    if (!Uuid.safeParse(replicaId).success) return 'unknown';
    const message = JSON.stringify(posted);
    this.checkSize(message);
    const question = { subject: sseMessagesSubject(replicaId), message, waitMs: REPLICA_ANSWER_MS_MAX };
    const answer = await askOne(this.nats, question);
    if (answer === 'refused') throw fail('input.invalid', 'body must be a JSON-RPC message', { field: 'body' });
    return answer === 'accepted' ? 'accepted' : 'unknown';
  }

  private async answerOf(text: string, deliver: (posted: PostedMessages) => Promise<Delivery>): Promise<string> {
    try {
      const { streamId, caller, messages } = droppingUnknown(PostedToStream).parse(JSON.parse(text));
      return await deliver({ streamId, caller: { ...caller, era: 'sse' }, messages: messages as never });
    } catch {
      return 'refused';
    }
  }

  /** The broker closes the connection of a sender that exceeds its limit. */
  private checkSize(message: string): void {
    const limit = this.nats.info?.max_payload ?? Infinity;
    if (Buffer.byteLength(message) > limit)
      throw fail('input.too_large', `body is larger than the broker's limit of ${limit} bytes`, {
        field: 'body',
        limit,
      });
  }
}
