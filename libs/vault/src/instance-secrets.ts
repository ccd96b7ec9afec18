import { hkdfSync, randomBytes, sign } from 'node:crypto';
import { uuidV8 } from '@cairn/kernel';
import { LRUCache } from 'lru-cache';
import { keyedHash } from './cipher.js';
import { KEY_BYTES } from './kek.js';
import { signerOf, type Signer } from './signer.js';

/** The record of KEYS that holds the secrets. It has the form of an item's record, so a rotation wraps it again too. */
export const INSTANCE_RECORD = { workspaceId: 'instance', itemId: 'secrets' } as const;
const SIGNING = 'signing';

/** Workspaces whose payload key is cached; deriving one costs more than the hash itself. */
const PAYLOAD_KEYS_MAX = 1_000;

/**
 * The root of payload keys and, by name, the seed of the signing key and payload keys that are not derived from the
 * root.
 */
export interface SecretKeys {
  readonly item: Uint8Array;
  readonly chunks: ReadonlyMap<string, Uint8Array>;
}

const derived = (root: Uint8Array, salt: string, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', root, salt, info, KEY_BYTES));

const payloadKeyOf = (root: Uint8Array, workspaceId: string): Uint8Array =>
  derived(root, workspaceId, 'cairn:payload-hash:1');

/** Random, so that they cannot be derived from any KEK that was ever used. */
export const newSecrets = (): SecretKeys => ({
  item: randomBytes(KEY_BYTES),
  chunks: new Map([[SIGNING, randomBytes(KEY_BYTES)]]),
});

/**
 * The secrets of an installation that is older than they are: its signing key and the payload keys of its workspaces stay
 * those that were derived from its KEK. The KEK cannot be recovered from them.
 */
export const inheritedSecrets = (kek: Uint8Array, workspaceIds: readonly string[]): SecretKeys => ({
  item: randomBytes(KEY_BYTES),
  chunks: new Map([
    [SIGNING, derived(kek, '', 'cairn:receipts:1')],
    ...workspaceIds.map((id) => [id, payloadKeyOf(kek, id)] as const),
  ]),
});

/** The secrets with which an installation signs and hashes as long as it exists, even when its KEK is replaced. */
export class InstanceSecrets {
  private madeSigner: Signer | undefined;
  private readonly payloadKeys = new LRUCache<string, Uint8Array>({ max: PAYLOAD_KEYS_MAX });
  private readonly entityKeys = new LRUCache<string, Uint8Array>({ max: PAYLOAD_KEYS_MAX });

  constructor(private readonly keys: SecretKeys) {}

  /** Distinguishes a repeated command from another one under the same `clientToken`; reveals nothing without the secret. */
  payloadHash(workspaceId: string, payload: string): string {
    return keyedHash(this.payloadKey(workspaceId), payload);
  }

  /**
   * The id of the entity with this name key. It cannot confirm a guess without the secret, and never enters the log.
   */
  entityId(workspaceId: string, key: string): string {
    const secret = this.entityKeys.get(workspaceId) ?? derived(this.keys.item, workspaceId, 'cairn:entities:1');
    this.entityKeys.set(workspaceId, secret);
    return uuidV8(keyedHash(secret, key));
  }

  /** Signs a text on behalf of this installation; anyone with `signingKey` can verify it. */
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
    return (this.madeSigner ??= signerOf(this.keys.chunks.get(SIGNING)!));
  }

  private payloadKey(workspaceId: string): Uint8Array {
    const known = this.keys.chunks.get(workspaceId) ?? this.payloadKeys.get(workspaceId);
    if (known) return known;
    const key = payloadKeyOf(this.keys.item, workspaceId);
    this.payloadKeys.set(workspaceId, key);
    return key;
  }
}
