import { withoutChunks, type KeyEntry, type KeyRecord, type KeyStore } from './key-store.port.js';

export class InMemoryKeyStore implements KeyStore {
  private readonly kept = new Map<string, KeyEntry>();
  private readonly destroyed = new Set<string>();
  private revision = 0;

  put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void> {
    const entry = { workspaceId, itemId, record: structuredClone(record), revision: ++this.revision };
    this.kept.set(`${workspaceId}.${itemId}`, entry);
    return Promise.resolve();
  }

  async create(workspaceId: string, itemId: string, record: KeyRecord): Promise<void> {
    if (!this.kept.has(`${workspaceId}.${itemId}`)) await this.put(workspaceId, itemId, record);
  }

  get(workspaceId: string, itemId: string): Promise<KeyRecord | undefined> {
    return Promise.resolve(this.kept.get(`${workspaceId}.${itemId}`)?.record);
  }

  async *entries(): AsyncGenerator<KeyEntry> {
    yield* await Promise.resolve([...this.kept.values()]);
  }

  async replace({ workspaceId, itemId, revision }: KeyEntry, record: KeyRecord): Promise<void> {
    if (this.kept.get(`${workspaceId}.${itemId}`)?.revision === revision) await this.put(workspaceId, itemId, record);
  }

  destroy(workspaceId: string, itemId: string): Promise<void> {
    const key = `${workspaceId}.${itemId}`;
    if (this.kept.delete(key)) this.destroyed.add(key);
    return Promise.resolve();
  }

  async destroyChunks(workspaceId: string, itemId: string, chunkIds: readonly string[]): Promise<void> {
    const entry = this.kept.get(`${workspaceId}.${itemId}`);
    if (entry) await this.put(workspaceId, itemId, withoutChunks(entry.record, chunkIds));
  }

  async restore(workspaceId: string, itemId: string, record: KeyRecord | undefined): Promise<boolean> {
    const key = `${workspaceId}.${itemId}`;
    if (this.destroyed.has(key) || (record && this.kept.has(key))) return false;
    if (record) await this.put(workspaceId, itemId, record);
    else {
      this.kept.delete(key);
      this.destroyed.add(key);
    }
    return true;
  }

  revisions(workspaceId: string, itemId: string): Promise<number> {
    const key = `${workspaceId}.${itemId}`;
    return Promise.resolve(this.kept.has(key) || this.destroyed.has(key) ? 1 : 0);
  }

  isDestroyed(workspaceId: string, itemId: string): Promise<boolean> {
    return Promise.resolve(this.destroyed.has(`${workspaceId}.${itemId}`));
  }
}
