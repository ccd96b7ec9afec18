/** The wrapped keys of one item, as they are stored: useless without the key-encryption key. */
export interface KeyRecord {
  readonly item: string;
  /** chunk id to wrapped key, base64; empty once it is destroyed, so that "forgotten" can be told from "lost". */
  readonly chunks: Readonly<Record<string, string>>;
}

/** A record as it stands in the store: one of its revisions. */
export interface KeyEntry {
  readonly workspaceId: string;
  readonly itemId: string;
  readonly record: KeyRecord;
  readonly revision: number;
}

/** What stays of a record when keys of single chunks are destroyed; the very same when they are already. */
export const withoutChunks = (record: KeyRecord, chunkIds: readonly string[]): KeyRecord => {
  const gone = chunkIds.filter((id) => (record.chunks[id] ?? '') !== '').map((id) => [id, ''] as const);
  return gone.length === 0 ? record : { ...record, chunks: { ...record.chunks, ...Object.fromEntries(gone) } };
};

export interface KeyStore {
  /** Durable when it resolves. */
  put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void>;
  /** The same, unless there is a record already, which then stays. */
  create(workspaceId: string, itemId: string, record: KeyRecord): Promise<void>;
  get(workspaceId: string, itemId: string): Promise<KeyRecord | undefined>;
  /** Every revision that is stored, oldest first; of a record that is written meanwhile possibly several. */
  entries(): AsyncIterable<KeyEntry>;
  /**
   * Puts a record in the place of that revision, of which no byte is left when it resolves. Whatever has taken its place
   * meanwhile stays, be it another record or its destruction: then the older revision goes and the given record is dropped.
   */
  replace(entry: KeyEntry, record: KeyRecord): Promise<void>;
  /** No byte of the record is left when it resolves. What is not there any more, or never was, is no error. */
  destroy(workspaceId: string, itemId: string): Promise<void>;
  /** The same for single chunks of an item; the others stay. */
  destroyChunks(workspaceId: string, itemId: string, chunkIds: readonly string[]): Promise<void>;
  /** True where a record was and was destroyed, false where it is or never was. */
  isDestroyed(workspaceId: string, itemId: string): Promise<boolean>;
  /** How many revisions of a record are stored: one, unless a destruction was cut short. */
  revisions(workspaceId: string, itemId: string): Promise<number>;
}
