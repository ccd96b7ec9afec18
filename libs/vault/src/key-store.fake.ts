import type { KeyRecord, KeyStore } from './key-store.port.js';

export class InMemoryKeyStore implements KeyStore {
  private readonly records = new Map<string, KeyRecord>();

  put(workspaceId: string, itemId: string, record: KeyRecord): Promise<void> {
    this.records.set(`${workspaceId}.${itemId}`, structuredClone(record));
    return Promise.resolve();
  }

  get(workspaceId: string, itemId: string): Promise<KeyRecord | undefined> {
    return Promise.resolve(this.records.get(`${workspaceId}.${itemId}`));
  }
}
