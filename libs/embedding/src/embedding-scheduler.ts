import { fail } from '@cairn/contracts';
import type { TextKind } from './embedding-model.port.js';
import { WorkerCrashed, type EmbeddingWorker } from './embedding-worker.js';
import { WorkerSlot, type WorkerSlotOptions } from './worker-slot.js';

interface Job {
  readonly text: string;
  readonly kind: TextKind;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
}

export interface EmbeddingSchedulerOptions extends Pick<WorkerSlotOptions, 'setTimer'> {
  readonly startWorker: () => EmbeddingWorker;
  readonly workerCount: number;
  readonly queueMax?: Readonly<Record<TextKind, number>> | undefined;
}

/** A person waits for a query; bulk work has its own pace and its own, wider bound. */
const QUEUE_MAX: Readonly<Record<TextKind, number>> = { query: 256, passage: 4096 };
const ATTEMPTS_MAX = 2;

/**
 * Hands texts to workers one at a time, queries first: a query waits for at most one passage. A worker that ends is
 * replaced, and its text goes to the next worker that is ready (ADR 0014).
 */
export class EmbeddingScheduler {
  private readonly queues: Readonly<Record<TextKind, Job[]>> = { query: [], passage: [] };
  private readonly running = new Set<Job>();
  private readonly slots: readonly WorkerSlot[];
  private readonly queueMax: Readonly<Record<TextKind, number>>;
  private closing: Promise<void> | undefined;

  constructor({ workerCount, queueMax = QUEUE_MAX, ...options }: EmbeddingSchedulerOptions) {
    this.queueMax = queueMax;
    const onReady = () => this.dispatch();
    this.slots = Array.from({ length: workerCount }, () => new WorkerSlot({ ...options, onReady }));
  }

  /** Resolves with the model's dimensions when every worker has loaded it. */
  async ready(): Promise<number> {
    const dimensions = await Promise.all(this.slots.map((slot) => slot.firstReady));
    return dimensions[0]!;
  }

  /** Why no text can be embedded at the moment; undefined while a worker is ready. */
  get problem(): string | undefined {
    if (this.slots.some((slot) => slot.isReady)) return undefined;
    const reason = this.slots.find((slot) => slot.lastEnd !== undefined)?.lastEnd;
    return `The embedding processes are restarting${reason === undefined ? '' : ` (${reason})`}.`;
  }

  submit(text: string, kind: TextKind): Promise<Float32Array> {
    if (this.closing !== undefined) return Promise.reject(closed());
    // A person is better served by keyword hits now than by waiting for the end of a crash loop.
    if (kind === 'query' && this.slots.every((slot) => slot.isDown)) return Promise.reject(down(this.problem!));
    const queue = this.queues[kind];
    if (queue.length >= this.queueMax[kind]) return Promise.reject(busy(kind, this.queueMax[kind]));
    return new Promise((resolve, reject) => {
      queue.push({ text, kind, resolve, reject, attempts: 0 });
      this.dispatch();
    });
  }

  close(): Promise<void> {
    this.closing ??= this.shutDown();
    return this.closing;
  }

  private async shutDown(): Promise<void> {
    const waiting = [...this.queues.query.splice(0), ...this.queues.passage.splice(0)];
    for (const job of [...this.running, ...waiting]) job.reject(closed());
    await Promise.all(this.slots.map((slot) => slot.close()));
  }

  private dispatch(): void {
    if (this.closing !== undefined) return;
    for (const slot of this.slots) {
      if (slot.isBusy || !slot.isReady) continue;
      const job = this.queues.query.shift() ?? this.queues.passage.shift();
      if (job === undefined) return;
      void this.run(slot, job);
    }
  }

  private async run(slot: WorkerSlot, job: Job): Promise<void> {
    slot.isBusy = true;
    this.running.add(job);
    job.attempts++;
    try {
      job.resolve(await slot.infer(job.text));
    } catch (error) {
      this.settleFailure(job, error);
    }
    this.running.delete(job);
    slot.isBusy = false;
    this.dispatch();
  }

  private settleFailure(job: Job, error: unknown): void {
    if (this.closing !== undefined) return;
    if (error instanceof WorkerCrashed && job.attempts < ATTEMPTS_MAX) this.queues[job.kind].unshift(job);
    else job.reject(failed(error));
  }
}

const closed = () => fail('embedder.unavailable', 'The embedding model is closed.');

const down = (problem: string) => fail('embedder.unavailable', problem);

const busy = (kind: TextKind, max: number) =>
  fail('embedder.busy', `The embedding model has ${max} texts of kind ${kind} waiting; try again later.`, { max });

const failed = (cause: unknown) =>
  fail('embedder.unavailable', 'The embedding model could not embed a text.', {}, cause);
