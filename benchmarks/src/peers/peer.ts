/** A text as every peer stores it: the same words and the same vector. */
export interface PeerDocument {
  readonly id: string;
  readonly workspace: string;
  readonly title: string;
  readonly body: string;
  readonly vector: Float32Array;
}

export interface PeerQuery {
  readonly text: string;
  readonly vector: Float32Array;
  /** Absent if there is only one: then no filter is needed. */
  readonly workspace: string | undefined;
}

/** A search library in the process of the benchmark, on a folder of its own. */
export interface Peer {
  readonly name: string;
  /** How it is set up at this size, for the table. */
  readonly setup: string;
  add(documents: readonly PeerDocument[]): Promise<void>;
  /** Builds the indexes that it recommends for what it holds. */
  ready(): Promise<void>;
  /** BM25 and nearest neighbours, fused by reciprocal rank; the texts of the best are loaded. */
  hybrid(query: PeerQuery, limit: number): Promise<readonly string[]>;
  close(): Promise<void>;
}
