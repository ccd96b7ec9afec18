/** A query is a question, a passage an answer: some models embed the two differently. */
export type TextKind = 'query' | 'passage';

/**
 * Turns one text into one unit vector. The same text and kind always give the same bits, regardless of concurrent
 * requests. Vectors are shared between callers and must not be written to.
 */
export interface EmbeddingModel {
  /** Part of every stored vector; two models with the same id must give the same vectors. */
  readonly id: string;
  /** The name shown to people. */
  readonly label: string;
  readonly dimensions: number;
  /** Why no text can be embedded at the moment; undefined if there is no problem. */
  readonly problem: string | undefined;
  /** How many passages it should have at a time, so that it is never idle. A query may have to wait for all of them. */
  readonly passagesAtOnce: number;
  embed(text: string, kind: TextKind): Promise<Float32Array>;
  /** Rejects waiting calls and every later call; safe to call twice. */
  close(): Promise<void>;
}
