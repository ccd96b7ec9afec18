/** What an embedding thread says. It hears a text to embed, or `STOP`. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly dimensions: number }
  | { readonly type: 'vector'; readonly vector: Float32Array }
  | { readonly type: 'failed'; readonly reason: string };

/** Asks the thread to run out by itself: ending it from outside during a run aborts the whole process. */
export const STOP = null;
