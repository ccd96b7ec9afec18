/** Conditions of a search on the chunks themselves, in addition to the reader's visibility. */
export interface ChunkFilter {
  readonly includeSuperseded: boolean;
  readonly includeExpired: boolean;
  /** The item must have all of them. */
  readonly tags: readonly string[];
}

export const CURRENT_CHUNKS: ChunkFilter = { includeSuperseded: false, includeExpired: false, tags: [] };
