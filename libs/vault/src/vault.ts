import { randomBytes } from 'node:crypto';
import { fail, KEY_IN_MEMORY_MS_MAX } from '@cairn/contracts';
import { LRUCache } from 'lru-cache';
import { INSTANCE_RECORD, inheritedSecrets, InstanceSecrets, newSecrets, type SecretKeys } from './instance-secrets.js';
import { KEY_BYTES } from './kek.js';
import type { KeyRing } from './key-ring.js';
import type { KeyEntry, KeyRecord, KeyStore } from './key-store.port.js';

/** The unencrypted data keys of one item; they exist in memory only. */
export interface ItemKeys {
  readonly item: Uint8Array;
  readonly chunks: ReadonlyMap<string, Uint8Array>;
  readonly wrapped: KeyRecord;
}

/** The projector, which has the same vault, needs the keys of a new item right after they were stored. */
const RECENT_ITEMS_MAX = 2_000;

export class Vault {
  // For a short time only: keys that another process destroys must be gone here too.
  private readonly recent = new LRUCache<string, ItemKeys>({ max: RECENT_ITEMS_MAX, ttl: KEY_IN_MEMORY_MS_MAX });

  constructor(
    private readonly ring: KeyRing,
    private readonly store: KeyStore,
  ) {}

  /** Random keys, never derived: a derived key could not be destroyed. Nothing is stored yet. */
  mint(workspaceId: string, itemId: string, chunkIds: readonly string[]): ItemKeys {
    const item = randomBytes(KEY_BYTES);
    const chunks = new Map(chunkIds.map((id) => [id, randomBytes(KEY_BYTES)]));
    return { item, chunks, wrapped: this.wrapAll(workspaceId, itemId, { item, chunks }) };
  }

  /** Durable before the op is appended, so an op never lacks its key. */
  async keep(workspaceId: string, itemId: string, keys: ItemKeys): Promise<void> {
    await this.store.put(workspaceId, itemId, keys.wrapped);
    this.recent.set(itemId, keys);
  }

  /**
   * Undefined when the keys are gone: the item was forgotten, or never completed. Those of forgotten chunks are left out.
   * The wrapped keys are under the current KEK even if the key store is not rewrapped yet, so that a rotation need not find
   * the copies that are written elsewhere.
   */
  async find(workspaceId: string, itemId: string): Promise<ItemKeys | undefined> {
    const known = this.recent.get(itemId);
    if (known) return known;
    const stored = await this.store.get(workspaceId, itemId);
    if (!stored) return undefined;
    const wrapped = this.rewrapAll(workspaceId, itemId, stored) ?? stored;
    const chunks = Object.entries(wrapped.chunks)
      .filter(([, key]) => key !== '')
      .map(([id, key]) => [id, this.unwrap(workspaceId, id, Buffer.from(key, 'base64'))] as const);
    return {
      item: this.unwrap(workspaceId, itemId, Buffer.from(wrapped.item, 'base64')),
      chunks: new Map(chunks),
      wrapped,
    };
  }

  async get(workspaceId: string, itemId: string): Promise<ItemKeys> {
    const keys = await this.find(workspaceId, itemId);
    if (!keys) throw fail('key.unavailable', 'the key of an item is missing', { itemId });
    return keys;
  }

  /** Undefined when the item was forgotten. Keys that are missing for another reason are a failure, and may reappear. */
  async livingKeys(workspaceId: string, itemId: string): Promise<ItemKeys | undefined> {
    const keys = await this.find(workspaceId, itemId);
    if (keys || (await this.store.isDestroyed(workspaceId, itemId))) return keys;
    throw fail('key.unavailable', 'the key of an item is missing', { itemId });
  }

  /** Everything sealed under these keys is lost from now on. */
  async destroy(workspaceId: string, itemId: string): Promise<void> {
    await this.store.destroy(workspaceId, itemId);
    this.recent.delete(itemId);
  }

  async destroyChunks(workspaceId: string, itemId: string, chunkIds: readonly string[]): Promise<void> {
    await this.store.destroyChunks(workspaceId, itemId, chunkIds);
    this.recent.delete(itemId);
  }

  /** How many keys of an item, or of some of its chunks, can still be found; an older revision counts as one. */
  async keysLeft(workspaceId: string, itemId: string, chunkIds?: readonly string[]): Promise<number> {
    const record = await this.store.get(workspaceId, itemId);
    const older = Math.max(0, (await this.store.revisions(workspaceId, itemId)) - 1);
    if (!record) return older;
    return older + (chunkIds ? chunkIds.filter((id) => (record.chunks[id] ?? '') !== '').length : 1);
  }

  /** True if a key of the item, or of that chunk of it, can still be found. */
  async hasKeys(workspaceId: string, itemId: string, chunkId?: string): Promise<boolean> {
    const record = await this.store.get(workspaceId, itemId);
    return record !== undefined && (chunkId === undefined || (record.chunks[chunkId] ?? '') !== '');
  }

  /** Opens a wrapped key that is stored next to a row, without reading the key store. */
  unwrap(workspaceId: string, ownerId: string, wrapped: Uint8Array): Uint8Array {
    return this.ring.unwrap(keyAad(workspaceId, ownerId), wrapped);
  }

  /** The same key under the current KEK; undefined if it already is. */
  rewrap(workspaceId: string, ownerId: string, wrapped: Uint8Array): Buffer | undefined {
    return this.ring.rewrap(keyAad(workspaceId, ownerId), wrapped);
  }

  get isRotating(): boolean {
    return this.ring.isRotating;
  }

  get kekId(): string {
    return this.ring.id;
  }

  /** Everything in the key store, including older revisions. */
  entries(): AsyncIterable<KeyEntry> {
    return this.store.entries();
  }

  /** The same keys under the current KEK; undefined if they already are. */
  rewrapEntry({ workspaceId, itemId, record }: KeyEntry): KeyRecord | undefined {
    return this.rewrapAll(workspaceId, itemId, record);
  }

  /** Replaces a record that is under another KEK. Keys that were destroyed meanwhile stay destroyed. */
  replace(entry: KeyEntry, record: KeyRecord): Promise<void> {
    return this.store.replace(entry, record);
  }

  /**
   * Puts back what a lost key store had: wrapped keys, or without them the mark that they were destroyed. Never replaces
   * keys that are there, and never revives destroyed ones. True if something was written.
   */
  restore(workspaceId: string, ownerId: string, record: KeyRecord | undefined): Promise<boolean> {
    return this.store.restore(workspaceId, ownerId, record);
  }

  /** The secrets of this installation, wrapped by the current KEK, for a copy outside the key store. */
  async wrappedSecrets(): Promise<KeyRecord> {
    const keys = await this.get(INSTANCE_RECORD.workspaceId, INSTANCE_RECORD.itemId);
    return keys.wrapped;
  }

  /** Puts the secrets back from such a copy, unless there are some. */
  restoreSecrets(record: KeyRecord): Promise<boolean> {
    return this.store.restore(INSTANCE_RECORD.workspaceId, INSTANCE_RECORD.itemId, record);
  }

  /** The secrets of this installation. The service that decides commands creates them before the first one. */
  async secrets(): Promise<InstanceSecrets> {
    const secrets = await this.findSecrets();
    if (!secrets) throw fail('key.unavailable', 'this installation has no secrets of its own yet; try again');
    return secrets;
  }

  /** Undefined if there are none yet. Fails with the KEK of another installation. */
  async findSecrets(): Promise<InstanceSecrets | undefined> {
    const keys = await this.find(INSTANCE_RECORD.workspaceId, INSTANCE_RECORD.itemId);
    return keys && new InstanceSecrets(keys);
  }

  /**
   * Creates the secrets if there are none; only one of several processes does. An installation that already has workspaces
   * is older than these secrets, so they are derived from its KEK.
   */
  async foundSecrets(workspaceIds: readonly string[]): Promise<InstanceSecrets> {
    const { workspaceId, itemId } = INSTANCE_RECORD;
    const keys = workspaceIds.length === 0 ? newSecrets() : inheritedSecrets(await this.foundingKek(), workspaceIds);
    await this.store.create(workspaceId, itemId, this.wrapAll(workspaceId, itemId, keys));
    return this.secrets();
  }

  /** The KEK that the oldest key is wrapped by. */
  private async foundingKek(): Promise<Uint8Array> {
    for await (const { workspaceId, itemId, record } of this.store.entries())
      return this.ring.wrapperOf(keyAad(workspaceId, itemId), Buffer.from(record.item, 'base64'));
    return this.ring.oldest;
  }

  private wrapAll(workspaceId: string, itemId: string, { item, chunks }: SecretKeys): KeyRecord {
    const wrap = (ownerId: string, key: Uint8Array): string =>
      this.ring.wrap(keyAad(workspaceId, ownerId), key).toString('base64');
    return {
      item: wrap(itemId, item),
      chunks: Object.fromEntries([...chunks].map(([id, key]) => [id, wrap(id, key)])),
    };
  }

  private rewrapAll(workspaceId: string, itemId: string, before: KeyRecord): KeyRecord | undefined {
    if (!this.ring.isRotating) return undefined;
    let isChanged = false;
    const rewrapOne = (ownerId: string, wrapped: string): string => {
      const rewrapped = wrapped === '' ? undefined : this.rewrap(workspaceId, ownerId, Buffer.from(wrapped, 'base64'));
      if (rewrapped) isChanged = true;
      return rewrapped?.toString('base64') ?? wrapped;
    };
    const record: KeyRecord = {
      ...before,
      item: rewrapOne(itemId, before.item),
      chunks: Object.fromEntries(Object.entries(before.chunks).map(([id, key]) => [id, rewrapOne(id, key)])),
    };
    return isChanged ? record : undefined;
  }
}

const keyAad = (workspaceId: string, ownerId: string): string => `${workspaceId}|${ownerId}|key|1`;
