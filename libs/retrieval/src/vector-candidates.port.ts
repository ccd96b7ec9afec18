import type { FolderReader } from '@cairn/access';
import type { EmbeddedQuery } from './query-vector.js';

/** What a search wants: the best `limit` chunks that this reader may see. */
export interface Wanted {
  readonly query: EmbeddedQuery;
  readonly reader: FolderReader;
  readonly limit: number;
}

/** What the database found about a proposal. */
export interface ProposalUse {
  /** How many chunks were written or moved since the state that the proposal was made from. */
  readonly behind: number;
  /** Whether it was not enough for an exact answer, which the database then found alone. */
  readonly wasShort: boolean;
}

/**
 * Chunks that are probably the nearest, found outside the database. The database ranks them by the stored vectors, adds
 * what is newer than `seq` and `position`, and applies the access rule. If it cannot give the exact answer from them, it
 * ignores them.
 */
export interface Proposal {
  /** Chunk ids, as the binary form of `uuid[]`. */
  readonly chunkIds: Buffer;
  /** All other chunks of the visible folders score below this; null if there are no others. */
  readonly reach: number | null;
  /** The newest message of the vectors, and the newest op of the library, that it takes into account. */
  readonly seq: number;
  readonly position: number;
  /** Folders on the reader's list that were left out because they were hidden from it. */
  readonly unseenFolders: readonly string[];
  readonly onUsed: (use: ProposalUse) => void;
}

/** Proposes chunks for a vector search, or nothing: then the database searches alone. Never fails. */
export interface VectorCandidates {
  propose(wanted: Wanted): Promise<Proposal | undefined>;
}

/** Every vector search is answered by the database. */
export const NO_CANDIDATES: VectorCandidates = { propose: () => Promise.resolve(undefined) };
