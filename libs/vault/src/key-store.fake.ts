import { withoutChunks, type KeyRecord, type KeyStore } from './key-store.port.js';

export class InMemoryKeyStore implements KeyStore {
  private readonly records = new Map<string, KeyRecord>();
  private readonly destroyed = new Set<string>();

  put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void> {
    this.records.set(`${workspaceId}.${itemId}`, structuredClone(record));
    return Promise.resolve();
  }

  get(workspaceId: string, itemId: string): Promise<KeyRecord | undefined> {
    return Promise.resolve(this.records.get(`${workspaceId}.${itemId}`));
  }

  destroy(workspaceId: string, itemId: string): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    if (this.records.delete(key)) this.destroyed.add(key);
    return Promise.resolve();
  }

  destroyChunks(workspaceId: string, itemId: string, chunkIds: readonly string[]): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    const record = this.records.get(key);
    if (record) this.records.set(key, withoutChunks(record, chunkIds));
    return Promise.resolve();
  }

  revisions(workspaceId: string, itemId: string): Promise<number> {
    const key = `${workspaceId}.${itemId}`;
    return Promise.resolve(this.records.has(key) || this.destroyed.has(key) ? 1 : 0);
  }

  isDestroyed(workspaceId: string, itemId: string): Promise<boolean> {
    return Promise.resolve(this.destroyed.has(`${workspaceId}.${itemId}`));
  }
}
