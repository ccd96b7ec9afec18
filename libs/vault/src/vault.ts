import { hkdfSync, randomBytes, sign } from 'node:crypto';
import { fail, KEY_IN_MEMORY_MS_MAX } from '@cairn/contracts';
import { LRUCache } from 'lru-cache';
import { keyedHash, open, seal } from './cipher.js';
import { KEY_BYTES } from './kek.js';
import type { KeyRecord, KeyStore } from './key-store.port.js';
import { signerOf, type Signer } from './signer.js';

/** The data keys of one item in the clear; they live in memory only. */
export interface ItemKeys {
  readonly item: Uint8Array;
  readonly chunks: ReadonlyMap<string, Uint8Array>;
  readonly wrapped: KeyRecord;
}

/** A fresh item's keys are asked for again at once by the projector, which has the same vault. */
const RECENT_ITEMS_MAX = 2_000;
/** Workspaces whose payload key is at hand; deriving one costs more than the hash itself. */
const PAYLOAD_KEYS_MAX = 1_000;

export class Vault {
  // For a short time only: what another process destroys must end here too.
  private readonly recent = new LRUCache<string, ItemKeys>({ max: RECENT_ITEMS_MAX, ttl: KEY_IN_MEMORY_MS_MAX });
  private madeSigner: Signer | undefined;
  private readonly payloadKeys = new LRUCache<string, Uint8Array>({ max: PAYLOAD_KEYS_MAX });

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

  /** Undefined when the keys are gone: the item was forgotten, or never completed. Those of forgotten chunks are left out. */
  async find(workspaceId: string, itemId: string): Promise<ItemKeys | undefined> {
    const known = this.recent.get(itemId);
    if (known) return known;
    const wrapped = await this.store.get(workspaceId, itemId);
    if (!wrapped) return undefined;
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

  /** Opens a wrapped key that stands beside a row, without a look into the key store. */
  unwrap(workspaceId: string, ownerId: string, wrapped: Uint8Array): Uint8Array {
    return open(this.kek, keyAad(workspaceId, ownerId), wrapped);
  }

  /** Tells a repeated command from another one under the same `clientToken`; says nothing to whoever lacks the KEK. */
  payloadHash(workspaceId: string, payload: string): string {
    return keyedHash(this.payloadKey(workspaceId), payload);
  }

  /** Signs what this installation vouches for; whoever has `signingKey` can check it. */
  sign(text: string): { readonly keyId: string; readonly signature: string } {
    const { privateKey, keyId } = this.signer();
    return { keyId, signature: sign(null, Buffer.from(text), privateKey).toString('base64') };
  }

  /** The public half, as PEM, and its name. */
  get signingKey(): { readonly keyId: string; readonly publicKey: string } {
    const { publicKey, keyId } = this.signer();
    return { keyId, publicKey };
  }

  private signer(): Signer {
    this.madeSigner ??= signerOf(hkdfSync('sha256', this.kek, Buffer.alloc(0), 'cairn:receipts:1', KEY_BYTES));
    return this.madeSigner;
  }

  private payloadKey(workspaceId: string): Uint8Array {
    const known = this.payloadKeys.get(workspaceId);
    if (known) return known;
    const info = 'cairn:payload-hash:1';
    const key = new Uint8Array(hkdfSync('sha256', this.kek, Buffer.from(workspaceId), info, KEY_BYTES));
    this.payloadKeys.set(workspaceId, key);
    return key;
  }

  private wrap(workspaceId: string, ownerId: string, key: Uint8Array): string {
    return seal(this.kek, keyAad(workspaceId, ownerId), key).toString('base64');
  }
}

const keyAad = (workspaceId: string, ownerId: string): string => `${workspaceId}|${ownerId}|key|1`;
