/** The messages of an embedding process. It first receives the model to load, then texts to embed. */
export type WorkerMessage =
  | { readonly type: 'ready'; readonly dimensions: number }
  | { readonly type: 'not-loaded'; readonly reason: string }
  | { readonly type: 'vector'; readonly vector: Float32Array }
  | { readonly type: 'failed'; readonly reason: string };
