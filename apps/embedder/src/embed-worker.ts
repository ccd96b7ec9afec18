import { asAppError, isNewerEvent, type StoredChunk, type VectorMessage } from '@cairn/contracts';
import type { Turn } from '@cairn/kernel';
import { assertUsableVector } from '@cairn/embedding';
import type { NatsConnection } from '@cairn/messaging';
import type { Logger, Metrics } from '@cairn/observability';
import { decodeOp, type VectorLog } from '@cairn/op-log';
import { sealVector, type ItemKeys, type Vault } from '@cairn/vault';
import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream';
import { openEmbedConsumer, openLookAheadConsumer } from './consumers.js';
import { DocumentReader } from './document-reader.js';
import { EmbedWindow, OPS_MAX } from './embed-window.js';
import { InItemOrder } from './in-item-order.js';
import { LookAhead, type AheadOp } from './look-ahead.js';
import { PassageGate } from './passage-gate.js';
import { changesOthers, isToEmbed, ownChunks, passagesAfter, type EmbeddedOp, type Passage } from './passages.js';
import { VectorBatch } from './vector-batch.js';
import type { VectorMaker } from './vector-maker.js';

/** Nothing is wrong with the op: its turn comes when a dependency answers, or a newer version of Cairn takes it. */
const mustWait = (thrown: unknown): boolean => asAppError(thrown).kind === 'unavailable' || isNewerEvent(thrown);

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
/** How long an op of a newer version of Cairn waits before the broker offers it again, to whichever replica is free. */
const HELD_RETRY_MS = 5_000;

export interface EmbedWorkerOptions {
  readonly nats: NatsConnection;
  readonly vectors: VectorLog;
  readonly vault: Vault;
  readonly maker: VectorMaker;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** True while a caller waits for an answer from this process: bulk work then yields. */
  readonly mustYield?: (() => boolean) | undefined;
  /** Receives the number of ops that are left. */
  readonly onBacklog?: ((ops: number) => void) | undefined;
  /** The wait before the first retry; it doubles with each retry. */
  readonly retryMs?: number;
  /** The wait of an op that only a newer version of Cairn understands. */
  readonly heldRetryMs?: number;
}

interface Attempt {
  /** A chunk that fails at this attempt is given up. */
  readonly isLast: boolean;
  /** Some vectors of the op may already be in VECTORS. */
  readonly mayBeDone: boolean;
}

/** The keys and the texts of an op, by chunk. */
interface Opened {
  readonly keys: ItemKeys;
  readonly passages: ReadonlyMap<string, Passage>;
}

interface OpContext {
  readonly ofOp: Pick<VectorMessage, 'workspace' | 'itemId' | 'position' | 'model'>;
  readonly open: () => Promise<Opened | undefined>;
  /** A chunk that fails is given up. */
  readonly isLast: boolean;
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
  private readonly reader: DocumentReader;
  private readonly inItemOrder = new InItemOrder();

  constructor(private readonly options: EmbedWorkerOptions) {
    this.reader = new DocumentReader(options);
    this.gate = new PassageGate(options.maker.model.passagesAtOnce, options.mustYield);
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
    const consumer = await openEmbedConsumer(this.options.nats, this.options.maker.id, limits);
    this.messages = await consumer.consume({
      max_messages: PREFETCH,
      threshold_messages: PREFETCH_LOW,
      idle_heartbeat: 1_000,
      expires: 10_000,
      // Ingest deletes the consumer to have all texts embedded again; by default, the client would wait for it to return.
      abort_on_missing_resource: true,
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
    this.options.onBacklog?.(pending);
    if (pending === 0) void this.stopLookingAhead();
    else if (this.window.isFull) this.lookAhead ??= this.startLookingAhead();
    await this.window.room();
  }

  private startLookingAhead(): LookAhead {
    const { nats, maker, logger } = this.options;
    return new LookAhead({
      open: () => openLookAheadConsumer(nats, maker.id, this.window.passed),
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
      const op = await this.reader.opAt(position);
      if (op && isToEmbed(op, this.options.maker.recipe)) await this.embed(op, { isLast: false, mayBeDone: true });
    } catch (thrown) {
      this.options.logger.debug({ position, err: thrown }, 'an item ahead of the backlog could not be embedded yet');
    }
  }

  /**
   * Acknowledges an op only when all of its vectors are durable. While a dependency is unavailable, it retries forever.
   * A text that keeps failing is given up: the failure is logged and recorded in VECTORS. An op of a newer version of
   * Cairn is left for a replica of that version.
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
      if (isToEmbed(op, this.options.maker.recipe)) await this.embed(op, { isLast, mayBeDone });
      message.ack();
    } catch (thrown) {
      // Another replica, or the next start, takes the op over at once.
      if (this.closed) return message.nak();
      if (isNewerEvent(thrown)) return this.leave(message, thrown);
      metrics.embeddingFailures.inc();
      const isOver = isLast && !mustWait(thrown);
      logger[isOver ? 'error' : 'warn']({ position: message.seq, err: thrown }, 'an item could not be embedded');
      if (isOver) message.term('failed too often');
      else message.nak(Math.min((this.options.retryMs ?? RETRY_MIN_MS) * 2 ** deliveryCount, RETRY_MAX_MS));
    } finally {
      clearInterval(alive);
    }
  }

  private leave(message: JsMsg, thrown: unknown): void {
    const { logger, metrics, heldRetryMs = HELD_RETRY_MS } = this.options;
    metrics.embeddingHeld.inc();
    // Loud once; the metric counts on.
    const level = message.info.deliveryCount === 1 ? 'error' : 'debug';
    logger[level]({ position: message.seq }, `an item waits for its vectors: ${asAppError(thrown).message}`);
    message.nak(heldRetryMs);
  }

  /** The ops of an item one after the other: a later one may need the vectors of an earlier one. */
  private embed(op: EmbeddedOp, attempt: Attempt): Promise<void> {
    return this.inItemOrder.run(op.data.itemId, () => this.embedOp(op, attempt));
  }

  private async embedOp(op: EmbeddedOp, { isLast, mayBeDone }: Attempt): Promise<void> {
    const { workspace, position, data } = op;
    const { vectors, maker } = this.options;
    const ofOp = { workspace, itemId: data.itemId, position, model: maker.id };
    const done = mayBeDone ? await vectors.chunksDone(ofOp) : undefined;
    // Opened when the op gets its first turn, since the item may be forgotten while its op waits here.
    let opened: Promise<Opened | undefined> | undefined;
    const context = { ofOp, isLast, open: () => (opened ??= this.open(op)) };
    const own = ownChunks(op).filter(({ chunkId }) => !done?.has(chunkId));
    await this.storeVectors(own, context);
    if (!changesOthers(op)) return;
    const ownIds = ownChunks(op).map(({ chunkId }) => chunkId);
    const others = [...((await context.open())?.passages ?? [])].map(([, { chunk }]) => chunk);
    await this.storeVectors(
      others.filter(({ chunkId }) => !ownIds.includes(chunkId) && !done?.has(chunkId)),
      context,
    );
    if (op.type === 'chunk.forgotten') await this.eraseOlder(op, others);
  }

  /** Undefined if the item was forgotten. Keys that are missing for another reason may come back. */
  private async open(op: EmbeddedOp): Promise<Opened | undefined> {
    const keys = await this.options.vault.livingKeys(op.workspace, op.data.itemId);
    if (!keys) return undefined;
    const passages = await passagesAfter(this.options.maker.recipe, op, keys, this.reader);
    return { keys, passages: new Map(passages.map((passage) => [passage.chunk.chunkId, passage])) };
  }

  private async storeVectors(chunks: readonly StoredChunk[], context: OpContext): Promise<void> {
    const turn = { keys: [context.ofOp.workspace], size: chunks.length };
    await Promise.all(chunks.map((chunk) => this.batch.store(() => this.messageOf(chunk, turn, context))));
  }

  /** Undefined if the chunk was forgotten. */
  private async messageOf(
    { chunkId, textHash }: StoredChunk,
    turn: Turn,
    { ofOp, open, isLast }: OpContext,
  ): Promise<VectorMessage | undefined> {
    const vectorOf = async (): Promise<string | undefined> => {
      const opened = await open();
      const [key, passage] = [opened?.keys.chunks.get(chunkId), opened?.passages.get(chunkId)];
      if (!key || !passage) return undefined;
      return sealVector(key, ofOp.workspace, chunkId, await this.infer(passage.text)).toString('base64');
    };
    const vector = await this.gate
      .pass(turn, vectorOf)
      .catch((thrown: unknown) => this.giveUp(thrown, ofOp.position, isLast));
    if (vector === undefined) return undefined;
    return { ...ofOp, chunkId, textHash, dims: this.options.maker.model.dimensions, vector };
  }

  /** Vectors that were made with the headings of a forgotten chunk do not stay in the log either. */
  private async eraseOlder({ workspace, data, position }: EmbeddedOp, remade: readonly StoredChunk[]): Promise<void> {
    const { vectors, maker } = this.options;
    const chunkIds = new Set(remade.map(({ chunkId }) => chunkId));
    const older = (await vectors.vectorsOf(workspace, data.itemId)).filter(
      ({ message }) => message.model === maker.id && message.position < position && chunkIds.has(message.chunkId),
    );
    await vectors.erase(older.map((vector) => vector.position));
  }

  /** Stands in for the vector of one failed chunk, so the other chunks of its item keep theirs. */
  private giveUp(thrown: unknown, position: number, isLast: boolean): null {
    if (!isLast || mustWait(thrown)) throw thrown;
    this.options.metrics.embeddingFailures.inc();
    this.options.logger.error({ position, err: thrown }, 'a text was given up: it gets no vector of this model');
    return null;
  }

  private async infer(text: string): Promise<Float32Array> {
    const { maker, metrics } = this.options;
    const end = metrics.embeddingSeconds.startTimer();
    const vector = await maker.model.embed(text, 'passage');
    end();
    assertUsableVector(vector, maker.model.dimensions);
    return vector;
  }

  private async watchConnection(): Promise<void> {
    for await (const status of this.options.nats.status()) {
      if (this.closed) return;
      if (status.type === 'reconnect') this.messages?.stop();
    }
  }
}
