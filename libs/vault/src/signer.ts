import { createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';

export interface Signer {
  readonly privateKey: KeyObject;
  /** PEM. */
  readonly publicKey: string;
  readonly keyId: string;
}

/** The prefix of the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex');
const KEY_ID_CHARS = 16;

/** An Ed25519 key from 32 bytes: the same bytes always give the same key. */
export const signerOf = (seed: Uint8Array): Signer => {
  const der = Buffer.concat([PKCS8_HEAD, seed]);
  const privateKey = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
  const publicKey = createPublicKey(privateKey).export({ format: 'pem', type: 'spki' }).toString();
  const keyId = createHash('sha256').update(publicKey).digest('hex').slice(0, KEY_ID_CHARS);
  return { privateKey, publicKey, keyId };
};
