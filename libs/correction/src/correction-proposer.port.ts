/** A text, and the caller's description of what is wrong with it. */
export interface CorrectionRequest {
  readonly text: string;
  readonly instruction: string;
  /** Aborts the request to a model. */
  readonly signal?: AbortSignal;
}

export interface CorrectionProposer {
  /**
   * The corrected text: different from the original, not empty, and of a size that fits a chunk.
   * Rejects with `correction.no_rule`, `correction.unusable`, `correction.too_long` or `correction.unavailable`.
   */
  propose(request: CorrectionRequest): Promise<string>;
}
