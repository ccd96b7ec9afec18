/** The wrapped keys of one item, as they are stored: useless without the key-encryption key. */
export interface KeyRecord {
  readonly item: string;
  /** chunk id to wrapped key, base64; empty once it is destroyed, so that "forgotten" can be distinguished from "lost". */
  readonly chunks: Readonly<Record<string, string>>;
}

/** One revision of a record in the store. */
export interface KeyEntry {
  readonly workspaceId: string;
  readonly itemId: string;
  readonly record: KeyRecord;
  readonly revision: number;
}

/** The record without the keys of the given chunks; the same object if they are already destroyed. */
export const withoutChunks = (record: KeyRecord, chunkIds: readonly string[]): KeyRecord => {
  const gone = chunkIds.filter((id) => (record.chunks[id] ?? '') !== '').map((id) => [id, ''] as const);
  return gone.length === 0 ? record : { ...record, chunks: { ...record.chunks, ...Object.fromEntries(gone) } };
};

export interface KeyStore {
  /** Durable when it resolves. */
  put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void>;
  /** The same, but keeps a record that already exists. */
  create(workspaceId: string, itemId: string, record: KeyRecord): Promise<void>;
  get(workspaceId: string, itemId: string): Promise<KeyRecord | undefined>;
  /** Every stored revision, oldest first; possibly several of a record that is written meanwhile. */
  entries(): AsyncIterable<KeyEntry>;
  /**
   * Replaces that revision by a record; no byte of the revision is left when it resolves. If another record or a
   * destruction has replaced it meanwhile, that stays: the older revision is erased and the given record is dropped.
   */
  replace(entry: KeyEntry, record: KeyRecord): Promise<void>;
  /** No byte of the record is left when it resolves. A record that no longer exists, or never did, is not an error. */
  destroy(workspaceId: string, itemId: string): Promise<void>;
  /** The same for single chunks of an item; the others stay. */
  destroyChunks(workspaceId: string, itemId: string, chunkIds: readonly string[]): Promise<void>;
  /** True if a record was destroyed, false if it exists or never did. */
  isDestroyed(workspaceId: string, itemId: string): Promise<boolean>;
  /**
   * Writes what a lost store had: the record, or without one the mark that the keys were destroyed. An existing record or
   * mark stays, except that a record whose keys were destroyed is destroyed again. True if something was written.
   */
  restore(workspaceId: string, itemId: string, record: KeyRecord | undefined): Promise<boolean>;
  /** How many revisions of a record are stored: one, unless a destruction was interrupted. */
  revisions(workspaceId: string, itemId: string): Promise<number>;
}
