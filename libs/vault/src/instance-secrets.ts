import { hkdfSync, randomBytes, sign } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { keyedHash } from './cipher.js';
import { KEY_BYTES } from './kek.js';
import { signerOf, type Signer } from './signer.js';

/** Where they are kept: a record of KEYS like that of an item, so that it is wrapped anew like one. */
export const INSTANCE_RECORD = { workspaceId: 'instance', itemId: 'secrets' } as const;
const SIGNING = 'signing';

/** Workspaces whose payload key is at hand; deriving one costs more than the hash itself. */
const PAYLOAD_KEYS_MAX = 1_000;

/** The root of payload keys, and by name: the seed of the signing key, and payload keys of workspaces that are no child of the root. */
export interface SecretKeys {
  readonly item: Uint8Array;
  readonly chunks: ReadonlyMap<string, Uint8Array>;
}

const derived = (root: Uint8Array, salt: string, info: string): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', root, salt, info, KEY_BYTES));

const payloadKeyOf = (root: Uint8Array, workspaceId: string): Uint8Array =>
  derived(root, workspaceId, 'cairn:payload-hash:1');

/** Random, so that no KEK that was ever used leads to them. */
export const newSecrets = (): SecretKeys => ({
  item: randomBytes(KEY_BYTES),
  chunks: new Map([[SIGNING, randomBytes(KEY_BYTES)]]),
});

/**
 * Of an installation that is older than these secrets: what was derived from its KEK then stays as it was, for its signing
 * key and for the workspaces it has. The KEK itself cannot be got back from them.
 */
export const inheritedSecrets = (kek: Uint8Array, workspaceIds: readonly string[]): SecretKeys => ({
  item: randomBytes(KEY_BYTES),
  chunks: new Map([
    [SIGNING, derived(kek, '', 'cairn:receipts:1')],
    ...workspaceIds.map((id) => [id, payloadKeyOf(kek, id)] as const),
  ]),
});

/** What an installation signs and hashes with for as long as it exists, whatever becomes of its KEK. */
export class InstanceSecrets {
  private madeSigner: Signer | undefined;
  private readonly payloadKeys = new LRUCache<string, Uint8Array>({ max: PAYLOAD_KEYS_MAX });

  constructor(private readonly keys: SecretKeys) {}

  /** Tells a repeated command from another one under the same `clientToken`; says nothing to whoever lacks the secret. */
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
