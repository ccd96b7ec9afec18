import {
  asAppError,
  chunksOf,
  embedConsumer,
  isTextOp,
  OPLOG_STREAM,
  OPLOG_TEXT_FILTERS,
  type StoredChunk as Chunk,
  type TextOp,
  type VectorMessage,
} from '@cairn/contracts';
import { assertUsableVector, type EmbeddingModel } from '@cairn/embedding';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { decodeOp, type VectorLog } from '@cairn/op-log';
import { openText, sealVector, type ItemKeys, type Vault } from '@cairn/vault';
import {
  AckPolicy,
  DeliverPolicy,
  jetstream,
  jetstreamManager,
  type ConsumerMessages,
  type ConsumerUpdateConfig,
  type JsMsg,
} from '@nats-io/jetstream';
import { PassageGate } from './passage-gate.js';
import { VectorBatch } from './vector-batch.js';

/** Nothing outside the knowledge base is embedded, and nothing twice: what was in it has had its turn. */
const isToEmbed = ({ data }: TextOp): boolean => data.inKb && !('wasInKb' in data && data.wasInKb);

const isAway = (thrown: unknown): boolean => asAppError(thrown).kind === 'unavailable';

/**
 * Ops that are seen at once, and their bytes. Only among these do workspaces take turns (ADR 0052). More would keep work
 * from other replicas.
 */
const IN_WORK_MAX = 256;
const IN_WORK_BYTES_MAX = 16 * 1_048_576;
/** For four replicas that each have as many in work as they may. */
const ACK_PENDING_MAX = 4 * IN_WORK_MAX;
/** Fetched ahead of these; not more, because they wait without a sign of life to the broker. */
const PREFETCH = 8;
/** Fewer than these left: only then more are asked for, since asking costs as much for one as for all. */
const PREFETCH_LOW = 2;
const DELIVERIES_MAX = 5;
const ACK_WAIT_MS = 30_000;
const RETRY_MIN_MS = 500;
const RETRY_MAX_MS = 60_000;

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
  private bytesInWork = 0;
  private onSettled = (): void => undefined;
  private readonly gate: PassageGate;
  private readonly batch: VectorBatch;

  constructor(private readonly options: EmbedWorkerOptions) {
    this.gate = new PassageGate(options.makeWay);
    this.batch = new VectorBatch((messages) => options.vectors.publish(...messages));
  }

  start(): void {
    this.running = this.run();
    void this.watchConnection();
  }

  async close(): Promise<void> {
    this.closed = true;
    this.gate.close();
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
    this.messages = await consumer.consume({
      max_messages: PREFETCH,
      threshold_messages: PREFETCH_LOW,
      idle_heartbeat: 1_000,
      expires: 10_000,
    });
    // Closed while the consumer was being made: nobody else stops it.
    if (this.closed) return this.messages.stop();
    for await (const message of this.messages) {
      if (this.closed) return;
      this.take(message);
      this.options.metrics.embeddingBacklogOps.set(message.info.pending);
      while (this.isFull) await new Promise<void>((resolve) => (this.onSettled = resolve));
    }
  }

  private get isFull(): boolean {
    return this.inWork.size >= IN_WORK_MAX || this.bytesInWork >= IN_WORK_BYTES_MAX;
  }

  private take(message: JsMsg): void {
    const { length } = message.data;
    this.bytesInWork += length;
    const work = this.settle(message).finally(() => {
      this.inWork.delete(work);
      this.bytesInWork -= length;
      this.onSettled();
    });
    this.inWork.add(work);
  }

  private async ensureConsumer(): Promise<void> {
    const manager = await jetstreamManager(this.options.nats, { checkAPI: false });
    const durable = embedConsumer(this.options.model.id);
    const wanted = {
      durable_name: durable,
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      filter_subjects: [...OPLOG_TEXT_FILTERS],
      ack_wait: ACK_WAIT_MS * 1e6,
      max_ack_pending: ACK_PENDING_MAX,
    };
    await manager.consumers.add(OPLOG_STREAM, wanted).catch(() => {
      // One that was made when there was less to embed has one filter, and must not have both.
      const changed = { ...wanted, filter_subject: undefined } as unknown as Partial<ConsumerUpdateConfig>;
      return manager.consumers.update(OPLOG_STREAM, durable, changed);
    });
  }

  /**
   * Acknowledged only when every vector of the op is durable. While something is away it is tried for ever; a text that
   * breaks us time and again is given up, loudly, and VECTORS says so.
   */
  private async settle(message: JsMsg): Promise<void> {
    const { logger, metrics } = this.options;
    // However long the queue before it is, nobody else is to take it meanwhile.
    const alive = setInterval(() => message.working(), ACK_WAIT_MS / 3);
    const { deliveryCount } = message.info;
    const isLast = deliveryCount >= DELIVERIES_MAX;
    try {
      const { op } = decodeOp(message.seq, message.subject, message.data);
      if (isTextOp(op) && isToEmbed(op)) await this.embed(op, isLast);
      message.ack();
    } catch (thrown) {
      // Another replica, or the next start, takes it over at once.
      if (this.closed) return message.nak();
      metrics.embeddingFailures.inc();
      const isOver = isLast && !isAway(thrown);
      logger[isOver ? 'error' : 'warn']({ position: message.seq, err: thrown }, 'an item could not be embedded');
      if (isOver) message.term('failed too often');
      else message.nak(Math.min((this.options.retryMs ?? RETRY_MIN_MS) * 2 ** deliveryCount, RETRY_MAX_MS));
    } finally {
      clearInterval(alive);
    }
  }

  private async embed({ workspace, data, position }: TextOp, isLast: boolean): Promise<void> {
    const { vault, model } = this.options;
    const chunks = chunksOf(data);
    const turn = { keys: [workspace], size: chunks.length };
    // Fetched when the op has its first turn. Undefined: the item was forgotten while its op waited here. Keys that are
    // missing without that may come back.
    let keys: Promise<ItemKeys | undefined> | undefined;
    const keyOf = async (chunkId: string): Promise<Uint8Array | undefined> =>
      (await (keys ??= vault.livingKeys(workspace, data.itemId)))?.chunks.get(chunkId);
    const vectorOf = async ({ chunkId, text: sealed }: Chunk): Promise<string | undefined> => {
      const key = await keyOf(chunkId);
      if (!key) return undefined;
      const text = openText(key, workspace, chunkId, Buffer.from(sealed, 'base64'));
      return sealVector(key, workspace, chunkId, await this.infer(text)).toString('base64');
    };
    const messageOf = async (chunk: Chunk): Promise<VectorMessage | undefined> => {
      const vector = await this.gate
        .pass(turn, () => vectorOf(chunk))
        .catch((thrown: unknown) => this.giveUp(thrown, position, isLast));
      if (vector === undefined) return undefined;
      const { chunkId, textHash } = chunk;
      const of = { workspace, itemId: data.itemId, chunkId, textHash, model: model.id, dims: model.dimensions };
      return { ...of, position, vector };
    };
    await Promise.all(chunks.map((chunk) => this.batch.store(() => messageOf(chunk))));
  }

  /** In place of the vector of one chunk, so that the others of its item keep theirs. */
  private giveUp(thrown: unknown, position: number, isLast: boolean): null {
    if (!isLast || isAway(thrown)) throw thrown;
    this.options.metrics.embeddingFailures.inc();
    this.options.logger.error({ position, err: thrown }, 'a text was given up: it gets no vector of this model');
    return null;
  }

  private async infer(text: string): Promise<Float32Array> {
    const { model, metrics } = this.options;
    const end = metrics.embeddingSeconds.startTimer();
    const vector = await model.embed(text, 'passage');
    end();
    assertUsableVector(vector, model.dimensions);
    return vector;
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.options.nats.status()) {
      if (this.closed) return;
      if (status.type === 'reconnect') this.messages?.stop();
    }
  }
}
