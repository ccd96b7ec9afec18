/** The wrapped keys of one item, as they are stored: useless without the key-encryption key. */
export interface KeyRecord {
  readonly item: string;
  /** chunk id to wrapped key, base64. */
  readonly chunks: Readonly<Record<string, string>>;
}

export interface KeyStore {
  /** Durable when it resolves. */
  put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void>;
  get(workspaceId: string, itemId: string): Promise<KeyRecord | undefined>;
}
