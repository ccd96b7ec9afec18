/** A text, and what is wrong with it in the words of whoever noticed. */
export interface CorrectionRequest {
  readonly text: string;
  readonly instruction: string;
  /** Ends the wait for a model. */
  readonly signal?: AbortSignal;
}

export interface CorrectionProposer {
  /**
   * The text as the instruction wants it: different from what it was, not empty, and of a size that fits a chunk.
   * Rejects with `correction.no_rule`, `correction.unusable`, `correction.too_long` or `correction.unavailable`.
   */
  propose(request: CorrectionRequest): Promise<string>;
}
