/** One inference at a time, in a thread of its own. */
export interface EmbeddingWorker {
  /** Resolves with the model's dimensions once it is loaded; rejects with the reason when it cannot be. */
  readonly ready: Promise<number>;
  /** Rejects with `WorkerCrashed` when the thread ended before it answered. */
  infer(text: string): Promise<Float32Array>;
  /** Ends the thread after the text it is working on, which is then not answered. */
  stop(): Promise<void>;
}

/** The thread is gone; another one may well answer. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed';
}
