/** What a search asks of the chunks themselves, beside what its reader may see. */
export interface ChunkFilter {
  readonly includeSuperseded: boolean;
  readonly includeExpired: boolean;
  /** The item must have all of them. */
  readonly tags: readonly string[];
}

export const CURRENT_CHUNKS: ChunkFilter = { includeSuperseded: false, includeExpired: false, tags: [] };
