import {
  asAppError,
  chunksOf,
  isTextOp,
  OPLOG_STREAM,
  type StoredChunk as Chunk,
  type TextOp,
  type VectorMessage,
} from '@cairn/contracts';
import { assertUsableVector, type EmbeddingModel } from '@cairn/embedding';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { decodeOp, type VectorLog } from '@cairn/op-log';
import { openText, sealVector, type ItemKeys, type Vault } from '@cairn/vault';
import { jetstreamManager, type ConsumerMessages, type JsMsg } from '@nats-io/jetstream';
import { openEmbedConsumer, openLookAheadConsumer } from './consumers.js';
import { EmbedWindow, OPS_MAX } from './embed-window.js';
import { LookAhead, type AheadOp } from './look-ahead.js';
import { PassageGate } from './passage-gate.js';
import { VectorBatch } from './vector-batch.js';

/** Only texts in the knowledge base are embedded, and none twice: texts that were already in it have been embedded. */
const isToEmbed = ({ data }: TextOp): boolean => data.inKb && !('wasInKb' in data && data.wasInKb);

const isUnavailable = (thrown: unknown): boolean => asAppError(thrown).kind === 'unavailable';

/** Enough for four replicas, each with a full window. */
const ACK_PENDING_MAX = 4 * OPS_MAX;
/** Ops fetched ahead of the window; not more, because nothing extends their time limit at the broker meanwhile. */
const PREFETCH = 8;
/** More ops are requested only when fewer than these are left, since a request costs the same for one as for all. */
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
  /** True while a caller waits for an answer from this process: bulk work then yields. */
  readonly mustYield?: (() => boolean) | undefined;
  /** The wait before the first retry; it doubles with each retry. */
  readonly retryMs?: number;
}

interface Attempt {
  /** A chunk that fails at this attempt is given up. */
  readonly isLast: boolean;
  /** Some vectors of the op may already be in VECTORS. */
  readonly mayBeDone: boolean;
}

/** Follows OPLOG through a durable consumer that replicas share, and publishes a vector for every chunk. */
export class EmbedWorker {
  private messages: ConsumerMessages | undefined;
  private closed = false;
  private running: Promise<void> | undefined;
  private readonly window = new EmbedWindow();
  private lookAhead: LookAhead | undefined;
  private readonly gate: PassageGate;
  private readonly batch: VectorBatch;

  constructor(private readonly options: EmbedWorkerOptions) {
    this.gate = new PassageGate(options.mustYield);
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
    await this.window.empty();
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
    const limits = { ackWaitMs: ACK_WAIT_MS, ackPendingMax: ACK_PENDING_MAX };
    const consumer = await openEmbedConsumer(this.options.nats, this.options.model.id, limits);
    this.messages = await consumer.consume({
      max_messages: PREFETCH,
      threshold_messages: PREFETCH_LOW,
      idle_heartbeat: 1_000,
      expires: 10_000,
    });
    // The worker was closed while the consumer was being created, so nothing else stops it.
    if (this.closed) return this.messages.stop();
    try {
      for await (const message of this.messages) {
        if (this.closed) return;
        await this.takeInTurn(message);
      }
    } finally {
      await this.stopLookingAhead();
    }
  }

  /** Resolves when the window has room for the next op. */
  private async takeInTurn(message: JsMsg): Promise<void> {
    const { pending } = message.info;
    this.window.take(message, this.settle(message), () => this.lookAhead?.windowChanged());
    this.options.metrics.embeddingBacklogOps.set(pending);
    if (pending === 0) void this.stopLookingAhead();
    else if (this.window.isFull) this.lookAhead ??= this.startLookingAhead();
    await this.window.room();
  }

  private startLookingAhead(): LookAhead {
    const { nats, model, logger } = this.options;
    return new LookAhead({
      open: () => openLookAheadConsumer(nats, model.id, this.window.passed),
      isServed: (workspace) => this.window.serves(workspace),
      passed: () => this.window.passed,
      embed: (op) => this.embedAhead(op),
    }).start((thrown) =>
      logger.warn({ err: thrown }, 'the backlog cannot be read ahead; workspaces wait in log order'),
    );
  }

  private async stopLookingAhead(): Promise<void> {
    const { lookAhead } = this;
    this.lookAhead = undefined;
    await lookAhead?.stop();
  }

  /** An op that fails here is tried again, and settled, when the log reaches it. */
  private async embedAhead({ position }: AheadOp): Promise<void> {
    try {
      const manager = await jetstreamManager(this.options.nats, { checkAPI: false });
      const stored = await manager.direct.getMessage(OPLOG_STREAM, { seq: position });
      if (!stored) return;
      const { op } = decodeOp(stored.seq, stored.subject, stored.data);
      if (isTextOp(op) && isToEmbed(op)) await this.embed(op, { isLast: false, mayBeDone: true });
    } catch (thrown) {
      this.options.logger.debug({ position, err: thrown }, 'an item ahead of the backlog could not be embedded yet');
    }
  }

  /**
   * Acknowledges an op only when all of its vectors are durable. While a dependency is unavailable, it retries forever.
   * A text that keeps failing is given up: the failure is logged and recorded in VECTORS.
   */
  private async settle(message: JsMsg): Promise<void> {
    const { logger, metrics } = this.options;
    // However long the queue ahead of it is, no other replica should take the op in the meantime.
    const alive = setInterval(() => message.working(), ACK_WAIT_MS / 3);
    const { deliveryCount } = message.info;
    const isLast = deliveryCount >= DELIVERIES_MAX;
    try {
      const { op } = decodeOp(message.seq, message.subject, message.data);
      // An op that waited behind a backlog may have been embedded already, by this or another replica.
      const mayBeDone = this.lookAhead !== undefined || deliveryCount > 1;
      if (isTextOp(op) && isToEmbed(op)) await this.embed(op, { isLast, mayBeDone });
      message.ack();
    } catch (thrown) {
      // Another replica, or the next start, takes the op over at once.
      if (this.closed) return message.nak();
      metrics.embeddingFailures.inc();
      const isOver = isLast && !isUnavailable(thrown);
      logger[isOver ? 'error' : 'warn']({ position: message.seq, err: thrown }, 'an item could not be embedded');
      if (isOver) message.term('failed too often');
      else message.nak(Math.min((this.options.retryMs ?? RETRY_MIN_MS) * 2 ** deliveryCount, RETRY_MAX_MS));
    } finally {
      clearInterval(alive);
    }
  }

  private async embed({ workspace, data, position }: TextOp, { isLast, mayBeDone }: Attempt): Promise<void> {
    const { vault, vectors, model } = this.options;
    const ofOp = { workspace, itemId: data.itemId, position, model: model.id };
    const done = mayBeDone ? await vectors.chunksDone(ofOp) : undefined;
    const chunks = chunksOf(data).filter(({ chunkId }) => !done?.has(chunkId));
    const turn = { keys: [workspace], size: chunks.length };
    // Fetched when the op gets its first turn. Undefined if the item was forgotten while its op waited here. Keys that
    // are missing for another reason may come back.
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
      return { ...ofOp, chunkId, textHash, dims: model.dimensions, vector };
    };
    await Promise.all(chunks.map((chunk) => this.batch.store(() => messageOf(chunk))));
  }

  /** Stands in for the vector of one failed chunk, so the other chunks of its item keep theirs. */
  private giveUp(thrown: unknown, position: number, isLast: boolean): null {
    if (!isLast || isUnavailable(thrown)) throw thrown;
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
