/** One inference at a time, beside the main thread. */
export interface EmbeddingWorker {
  /** Resolves with the model's dimensions once it is loaded; rejects with the reason when it cannot be. */
  readonly ready: Promise<number>;
  /** Resolves with the reason when the worker is gone, in use or idle; it never answers again. */
  readonly ended: Promise<string>;
  /** For a worker that is ready. Rejects with `WorkerCrashed` when the worker ended before it answered. */
  infer(text: string): Promise<Float32Array>;
  /** Ends the worker; the text it is working on is not answered. */
  stop(): Promise<void>;
}

/** The worker is gone; another one may well answer. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed';
}
