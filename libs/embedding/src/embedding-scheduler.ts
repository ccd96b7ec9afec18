import { fail } from '@cairn/contracts';
import type { TextKind } from './embedding-model.port.js';
import { WorkerCrashed, type EmbeddingWorker } from './embedding-worker.js';

interface Job {
  readonly text: string;
  readonly kind: TextKind;
  readonly resolve: (vector: Float32Array) => void;
  readonly reject: (error: unknown) => void;
  attempts: number;
}

interface Slot {
  worker: EmbeddingWorker;
  job: Job | undefined;
}

/** A waiting query is a person; bulk work has its own pace and its own, wider bound. */
const QUEUE_MAX: Readonly<Record<TextKind, number>> = { query: 256, passage: 4096 };
const ATTEMPTS_MAX = 2;

/**
 * Hands texts to workers one at a time, queries first: a query waits for at most one passage. A crashed worker is
 * replaced and its text tried once more.
 */
export class EmbeddingScheduler {
  private readonly queues: Readonly<Record<TextKind, Job[]>> = { query: [], passage: [] };
  private readonly slots: readonly Slot[];
  private closing: Promise<void> | undefined;

  constructor(
    private readonly startWorker: () => EmbeddingWorker,
    workerCount: number,
    private readonly queueMax: Readonly<Record<TextKind, number>> = QUEUE_MAX,
  ) {
    this.slots = Array.from({ length: workerCount }, () => ({ worker: startWorker(), job: undefined }));
  }

  /** Resolves with the model's dimensions when every worker has loaded it. */
  async ready(): Promise<number> {
    const dimensions = await Promise.all(this.slots.map((slot) => slot.worker.ready));
    return dimensions[0]!;
  }

  submit(text: string, kind: TextKind): Promise<Float32Array> {
    if (this.closing !== undefined) return Promise.reject(closed());
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
    const running = this.slots.flatMap((slot) => slot.job ?? []);
    for (const job of [...running, ...waiting]) job.reject(closed());
    await Promise.all(this.slots.map((slot) => slot.worker.stop()));
  }

  private dispatch(): void {
    for (const slot of this.slots) {
      if (slot.job !== undefined) continue;
      const job = this.queues.query.shift() ?? this.queues.passage.shift();
      if (job === undefined) return;
      slot.job = job;
      void this.run(slot, job);
    }
  }

  private async run(slot: Slot, job: Job): Promise<void> {
    job.attempts++;
    try {
      job.resolve(await slot.worker.infer(job.text));
    } catch (error) {
      this.settleFailure(slot, job, error);
    }
    slot.job = undefined;
    if (this.closing === undefined) this.dispatch();
  }

  private settleFailure(slot: Slot, job: Job, error: unknown): void {
    if (this.closing !== undefined) return;
    const crashed = error instanceof WorkerCrashed;
    if (crashed) slot.worker = this.startWorker();
    if (crashed && job.attempts < ATTEMPTS_MAX) this.queues[job.kind].unshift(job);
    else job.reject(failed(error));
  }
}

const closed = () => fail('embedder.unavailable', 'The embedding model is closed.');

const busy = (kind: TextKind, max: number) =>
  fail('embedder.busy', `The embedding model has ${max} texts of kind ${kind} waiting; try again later.`, { max });

const failed = (cause: unknown) =>
  fail('embedder.unavailable', 'The embedding model could not embed a text.', {}, cause);
