import { randomBytes } from 'node:crypto';
import { fail, KEY_IN_MEMORY_MS_MAX } from '@cairn/contracts';
import { LRUCache } from 'lru-cache';
import { INSTANCE_RECORD, inheritedSecrets, InstanceSecrets, newSecrets, type SecretKeys } from './instance-secrets.js';
import { KEY_BYTES } from './kek.js';
import type { KeyRing } from './key-ring.js';
import type { KeyEntry, KeyRecord, KeyStore } from './key-store.port.js';

/** The data keys of one item in the clear; they live in memory only. */
export interface ItemKeys {
  readonly item: Uint8Array;
  readonly chunks: ReadonlyMap<string, Uint8Array>;
  readonly wrapped: KeyRecord;
}

/** A fresh item's keys are asked for again at once by the projector, which has the same vault. */
const RECENT_ITEMS_MAX = 2_000;

export class Vault {
  // For a short time only: what another process destroys must end here too.
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

  /** An op never lacks its key: this is durable before the op is appended. */
  async keep(workspaceId: string, itemId: string, keys: ItemKeys): Promise<void> {
    await this.store.put(workspaceId, itemId, keys.wrapped);
    this.recent.set(itemId, keys);
  }

  /**
   * Undefined when the keys are gone: the item was forgotten, or never completed. Those of forgotten chunks are left out.
   * What is given is wrapped by the current KEK, also where the key store is not that far yet: a copy of it that is
   * written somewhere will not have to be found again.
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

  /** Undefined when the item was forgotten. Keys that are missing without that are a failure, and may come back. */
  async livingKeys(workspaceId: string, itemId: string): Promise<ItemKeys | undefined> {
    const keys = await this.find(workspaceId, itemId);
    if (keys || (await this.store.isDestroyed(workspaceId, itemId))) return keys;
    throw fail('key.unavailable', 'the key of an item is missing', { itemId });
  }

  /** Whatever was sealed under these keys is lost from here on. */
  async destroy(workspaceId: string, itemId: string): Promise<void> {
    await this.store.destroy(workspaceId, itemId);
    this.recent.delete(itemId);
  }

  async destroyChunks(workspaceId: string, itemId: string, chunkIds: readonly string[]): Promise<void> {
    await this.store.destroyChunks(workspaceId, itemId, chunkIds);
    this.recent.delete(itemId);
  }

  /** Keys of an item that can still be found, or of some of its chunks; an older revision counts as one. */
  async keysLeft(workspaceId: string, itemId: string, chunkIds?: readonly string[]): Promise<number> {
    const record = await this.store.get(workspaceId, itemId);
    const older = Math.max(0, (await this.store.revisions(workspaceId, itemId)) - 1);
    if (!record) return older;
    return older + (chunkIds ? chunkIds.filter((id) => (record.chunks[id] ?? '') !== '').length : 1);
  }

  /** True where a key of the item, or of that chunk of it, can still be found. */
  async hasKeys(workspaceId: string, itemId: string, chunkId?: string): Promise<boolean> {
    const record = await this.store.get(workspaceId, itemId);
    return record !== undefined && (chunkId === undefined || (record.chunks[chunkId] ?? '') !== '');
  }

  /** Opens a wrapped key that stands beside a row, without a look into the key store. */
  unwrap(workspaceId: string, ownerId: string, wrapped: Uint8Array): Uint8Array {
    return this.ring.unwrap(keyAad(workspaceId, ownerId), wrapped);
  }

  /** The same key under the current KEK; undefined where it is already. */
  rewrap(workspaceId: string, ownerId: string, wrapped: Uint8Array): Buffer | undefined {
    return this.ring.rewrap(keyAad(workspaceId, ownerId), wrapped);
  }

  get isRotating(): boolean {
    return this.ring.isRotating;
  }

  get kekId(): string {
    return this.ring.id;
  }

  /** Everything in the key store, older revisions too. */
  entries(): AsyncIterable<KeyEntry> {
    return this.store.entries();
  }

  /** The same keys under the current KEK; undefined where they are already. */
  rewrapEntry({ workspaceId, itemId, record }: KeyEntry): KeyRecord | undefined {
    return this.rewrapAll(workspaceId, itemId, record);
  }

  /** Puts a record in the place of one that is under another KEK. What was destroyed meanwhile stays destroyed. */
  replace(entry: KeyEntry, record: KeyRecord): Promise<void> {
    return this.store.replace(entry, record);
  }

  /** The secrets of this installation. They are made by whoever decides commands, before the first one. */
  async secrets(): Promise<InstanceSecrets> {
    const secrets = await this.findSecrets();
    if (!secrets) throw fail('key.unavailable', 'this installation has no secrets of its own yet; try again');
    return secrets;
  }

  /** Undefined where there are none yet. With the KEK of another installation it fails. */
  async findSecrets(): Promise<InstanceSecrets | undefined> {
    const keys = await this.find(INSTANCE_RECORD.workspaceId, INSTANCE_RECORD.itemId);
    return keys && new InstanceSecrets(keys);
  }

  /** Makes them where there are none; of several processes one does. One that has workspaces is older than they are. */
  async foundSecrets(workspaceIds: readonly string[]): Promise<InstanceSecrets> {
    const { workspaceId, itemId } = INSTANCE_RECORD;
    const keys = workspaceIds.length === 0 ? newSecrets() : inheritedSecrets(await this.foundingKek(), workspaceIds);
    await this.store.create(workspaceId, itemId, this.wrapAll(workspaceId, itemId, keys));
    return this.secrets();
  }

  /** The one that the oldest key is wrapped by. */
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

  private rewrapAll(workspaceId: string, itemId: string, { item, chunks }: KeyRecord): KeyRecord | undefined {
    if (!this.ring.isRotating) return undefined;
    let isAnew = false;
    const again = (ownerId: string, wrapped: string): string => {
      const anew = wrapped === '' ? undefined : this.rewrap(workspaceId, ownerId, Buffer.from(wrapped, 'base64'));
      if (anew) isAnew = true;
      return anew?.toString('base64') ?? wrapped;
    };
    const record: KeyRecord = {
      item: again(itemId, item),
      chunks: Object.fromEntries(Object.entries(chunks).map(([id, key]) => [id, again(id, key)])),
    };
    return isAnew ? record : undefined;
  }
}

const keyAad = (workspaceId: string, ownerId: string): string => `${workspaceId}|${ownerId}|key|1`;
