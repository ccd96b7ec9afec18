/** Runs one inference at a time, outside the main thread. */
export interface EmbeddingWorker {
  /** Resolves with the model's dimensions once it is loaded; rejects with the reason if it cannot be loaded. */
  readonly ready: Promise<number>;
  /** Resolves with the reason when the worker ends, in use or idle; it never answers again. */
  readonly ended: Promise<string>;
  /** Requires a ready worker. Rejects with `WorkerCrashed` if the worker ends before it answers. */
  infer(text: string): Promise<Float32Array>;
  /** Ends the worker; the text in progress is not answered. */
  stop(): Promise<void>;
}

/** The worker has ended; another one may still answer. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed';
}
