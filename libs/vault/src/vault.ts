import { hkdfSync, randomBytes } from 'node:crypto';
import { fail } from '@cairn/contracts';
import { LRUCache } from 'lru-cache';
import { keyedHash, open, seal } from './cipher.js';
import { KEY_BYTES } from './kek.js';
import type { KeyRecord, KeyStore } from './key-store.port.js';

/** The data keys of one item in the clear; they live in memory only. */
export interface ItemKeys {
  readonly item: Uint8Array;
  readonly chunks: ReadonlyMap<string, Uint8Array>;
  readonly wrapped: KeyRecord;
}

/** A fresh item's keys are asked for again at once by the projector, which has the same vault. */
const RECENT_ITEMS_MAX = 2_000;

export class Vault {
  private readonly recent = new LRUCache<string, ItemKeys>({ max: RECENT_ITEMS_MAX });

  constructor(
    private readonly kek: Uint8Array,
    private readonly store: KeyStore,
  ) {}

  /** Random keys, never derived: a derived key could not be destroyed. Nothing is stored yet. */
  mint(workspaceId: string, itemId: string, chunkIds: readonly string[]): ItemKeys {
    const item = randomBytes(KEY_BYTES);
    const chunks = new Map(chunkIds.map((id) => [id, randomBytes(KEY_BYTES)]));
    const wrapped: KeyRecord = {
      item: this.wrap(workspaceId, itemId, item),
      chunks: Object.fromEntries([...chunks].map(([id, key]) => [id, this.wrap(workspaceId, id, key)])),
    };
    return { item, chunks, wrapped };
  }

  /** An op never lacks its key: this is durable before the op is appended. */
  async keep(workspaceId: string, itemId: string, keys: ItemKeys): Promise<void> {
    await this.store.put(workspaceId, itemId, keys.wrapped);
    this.recent.set(itemId, keys);
  }

  /** Undefined when the keys are gone: the item was forgotten, or never completed. */
  async find(workspaceId: string, itemId: string): Promise<ItemKeys | undefined> {
    const known = this.recent.get(itemId);
    if (known) return known;
    const wrapped = await this.store.get(workspaceId, itemId);
    if (!wrapped) return undefined;
    const chunks = Object.entries(wrapped.chunks).map(
      ([id, key]) => [id, this.unwrap(workspaceId, id, Buffer.from(key, 'base64'))] as const,
    );
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

  /** Opens a wrapped key that stands beside a row, without a look into the key store. */
  unwrap(workspaceId: string, ownerId: string, wrapped: Uint8Array): Uint8Array {
    return open(this.kek, keyAad(workspaceId, ownerId), wrapped);
  }

  /** Tells a repeated command from another one under the same `clientToken`; says nothing to whoever lacks the KEK. */
  payloadHash(workspaceId: string, payload: string): string {
    const key = hkdfSync('sha256', this.kek, Buffer.from(workspaceId), 'cairn:payload-hash:1', KEY_BYTES);
    return keyedHash(new Uint8Array(key), payload);
  }

  private wrap(workspaceId: string, ownerId: string, key: Uint8Array): string {
    return seal(this.kek, keyAad(workspaceId, ownerId), key).toString('base64');
  }
}

const keyAad = (workspaceId: string, ownerId: string): string => `${workspaceId}|${ownerId}|key|1`;
