import { asAppError, embedConsumer, OPLOG_ITEMS_FILTER, OPLOG_STREAM, type Op } from '@cairn/contracts';
import { assertUsableVector, type EmbeddingModel } from '@cairn/embedding';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { decodeOp, type VectorLog } from '@cairn/op-log';
import { openText, sealVector, type Vault } from '@cairn/vault';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
  type JsMsg,
} from '@nats-io/jetstream';

type ItemOp = Extract<Op, { type: 'item.stored' | 'item.extended' }>;

/** Items in work at once: enough to keep two model workers busy while vectors are published. */
const IN_WORK_MAX = 4;
const DELIVERIES_MAX = 5;
const ACK_WAIT_MS = 30_000;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 60_000;
/** The longest that one passage makes way: under lasting load vectors still come, slowly. */
const MAKE_WAY_MS = 500;
const MAKE_WAY_POLL_MS = 10;

export interface EmbedWorkerOptions {
  readonly nats: NatsConnection;
  readonly vectors: VectorLog;
  readonly vault: Vault;
  readonly model: EmbeddingModel;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** True while somebody waits for an answer of this process: bulk work then makes way. */
  readonly makeWay?: (() => boolean) | undefined;
  /** The wait before the first retry; it doubles from try to try. */
  readonly retryMs?: number;
}

/** Follows OPLOG through a durable consumer that replicas share, and publishes a vector for every chunk. */
export class EmbedWorker {
  private messages: ConsumerMessages | undefined;
  private closed = false;
  private running: Promise<void> | undefined;
  private readonly inWork = new Set<Promise<void>>();
  private turn: Promise<void> = Promise.resolve();

  constructor(private readonly options: EmbedWorkerOptions) {}

  start(): void {
    this.running = this.run();
    void this.watchConnection();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.messages?.stop();
    await this.running;
    await Promise.all(this.inWork);
  }

  private async run(): Promise<void> {
    while (!this.closed) {
      try {
        await this.consume();
      } catch (thrown) {
        if (this.closed) return;
        this.options.logger.debug({ err: thrown }, 'the embedder lost its consumer; trying again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MIN_MS));
      }
    }
  }

  private async consume(): Promise<void> {
    await this.ensureConsumer();
    const consumer = await jetstream(this.options.nats).consumers.get(
      OPLOG_STREAM,
      embedConsumer(this.options.model.id),
    );
    this.messages = await consumer.consume({ max_messages: IN_WORK_MAX * 2, idle_heartbeat: 1_000, expires: 10_000 });
    // Closed while the consumer was being made: nobody else stops it.
    if (this.closed) return this.messages.stop();
    for await (const message of this.messages) {
      if (this.closed) return;
      const work = this.settle(message).finally(() => this.inWork.delete(work));
      this.inWork.add(work);
      this.options.metrics.embeddingBacklogOps.set(message.info.pending);
      if (this.inWork.size >= IN_WORK_MAX) await Promise.race(this.inWork);
    }
  }

  private async ensureConsumer(): Promise<void> {
    const manager = await jetstreamManager(this.options.nats, { checkAPI: false });
    await manager.consumers.add(OPLOG_STREAM, {
      durable_name: embedConsumer(this.options.model.id),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      filter_subject: OPLOG_ITEMS_FILTER,
      ack_wait: ACK_WAIT_MS * 1e6,
      max_ack_pending: 256,
    });
  }

  /**
   * Acknowledged only when every vector of the op is durable. While something is away it is tried for ever; a text that
   * breaks us time and again is given up, loudly.
   */
  private async settle(message: JsMsg): Promise<void> {
    const { logger, metrics } = this.options;
    try {
      const { op } = decodeOp(message.seq, message.subject, message.data);
      if (op.type === 'item.stored' || op.type === 'item.extended') await this.embed(op, message);
      message.ack();
    } catch (thrown) {
      // Another replica, or the next start, takes it over at once.
      if (this.closed) return message.nak();
      metrics.embeddingFailures.inc();
      const { deliveryCount } = message.info;
      const isLast = asAppError(thrown).kind !== 'unavailable' && deliveryCount >= DELIVERIES_MAX;
      logger[isLast ? 'error' : 'warn']({ position: message.seq, err: thrown }, 'an item could not be embedded');
      if (isLast) message.term('failed too often');
      else message.nak(Math.min((this.options.retryMs ?? RETRY_MIN_MS) * 2 ** deliveryCount, RETRY_MAX_MS));
    }
  }

  private async embed({ workspace, data }: ItemOp, message: JsMsg): Promise<void> {
    if (!data.inKb) return;
    const { vault, vectors, model, metrics } = this.options;
    // No keys: the item was forgotten while its op waited here.
    const keys = await vault.find(workspace, data.itemId);
    if (!keys) return;
    const embedChunk = async (chunk: ItemOp['data']['chunks'][number]): Promise<void> => {
      const key = keys.chunks.get(chunk.chunkId);
      if (!key) return;
      const text = openText(key, workspace, chunk.chunkId, Buffer.from(chunk.text, 'base64'));
      await this.nextTurn();
      const end = metrics.embeddingSeconds.startTimer();
      const vector = await model.embed(text, 'passage');
      end();
      assertUsableVector(vector, model.dimensions);
      message.working();
      await vectors.publish({
        workspace,
        itemId: data.itemId,
        chunkId: chunk.chunkId,
        textHash: chunk.textHash,
        model: model.id,
        dims: model.dimensions,
        vector: sealVector(key, workspace, chunk.chunkId, vector).toString('base64'),
      });
    };
    await Promise.all(data.chunks.map(embedChunk));
  }

  /** Passages go one by one through here, each as soon as nobody waits, or after its share of patience. */
  private nextTurn(): Promise<void> {
    const { makeWay } = this.options;
    if (!makeWay) return Promise.resolve();
    this.turn = this.turn.then(async () => {
      const patience = performance.now() + MAKE_WAY_MS;
      while (!this.closed && makeWay() && performance.now() < patience) {
        await new Promise((resolve) => setTimeout(resolve, MAKE_WAY_POLL_MS));
      }
    });
    return this.turn;
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.options.nats.status()) {
      if (this.closed) return;
      if (status.type === 'reconnect') this.messages?.stop();
    }
  }
}
