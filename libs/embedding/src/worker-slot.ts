import type { EmbeddingWorker } from './embedding-worker.js';

const RESTART_MIN_MS = 250;
const RESTART_MAX_MS = 10_000;

/** No delay after the first crash; a worker that crashes again before it has answered waits longer each time. */
export const restartDelayMs = (crashes: number): number =>
  crashes <= 1 ? 0 : Math.min(RESTART_MIN_MS * 2 ** (crashes - 2), RESTART_MAX_MS);

export interface WorkerSlotOptions {
  readonly startWorker: () => EmbeddingWorker;
  /** A worker of this slot has loaded the model and is free. */
  readonly onReady: () => void;
  readonly setTimer?: (callback: () => void, ms: number) => () => void;
}

const setTimer = (callback: () => void, ms: number): (() => void) => {
  const timer = setTimeout(callback, ms);
  return () => clearTimeout(timer);
};

/** Holds one worker, and replaces it when it ends, in use or idle. */
export class WorkerSlot {
  /** Loading or ready; undefined while the next start is delayed. */
  private worker: EmbeddingWorker | undefined;
  private readyWorker: EmbeddingWorker | undefined;
  private crashes = 0;
  private cancelRestart = (): void => undefined;
  private closed = false;
  /** Why the last worker ended. */
  lastEnd: string | undefined;
  isBusy = false;
  readonly firstReady: Promise<number>;

  constructor(private readonly options: WorkerSlotOptions) {
    this.firstReady = this.start().ready;
  }

  get isReady(): boolean {
    return this.readyWorker !== undefined;
  }

  /** Whether it has crashed several times in a row, so that the next start is not imminent. */
  get isDown(): boolean {
    return this.worker === undefined;
  }

  async infer(text: string): Promise<Float32Array> {
    const vector = await this.readyWorker!.infer(text);
    this.crashes = 0;
    return vector;
  }

  async close(): Promise<void> {
    this.closed = true;
    this.cancelRestart();
    await this.worker?.stop();
  }

  private start(): EmbeddingWorker {
    const worker = this.options.startWorker();
    this.worker = worker;
    void worker.ended.then((reason) => this.replace(worker, reason));
    worker.ready.then(
      () => this.accept(worker),
      () => undefined,
    );
    return worker;
  }

  private accept(worker: EmbeddingWorker): void {
    if (this.closed || this.worker !== worker) return;
    this.readyWorker = worker;
    this.options.onReady();
  }

  private replace(worker: EmbeddingWorker, reason: string): void {
    if (this.closed) return;
    this.lastEnd = reason;
    this.worker = undefined;
    this.readyWorker = undefined;
    // A worker that could not load the model is still running.
    void worker.stop();
    const delayMs = restartDelayMs(++this.crashes);
    if (delayMs === 0) this.start();
    else this.cancelRestart = (this.options.setTimer ?? setTimer)(() => void this.start(), delayMs);
  }
}
