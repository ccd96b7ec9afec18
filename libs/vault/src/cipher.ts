import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { fail } from '@cairn/contracts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** AES-256-GCM as nonce, ciphertext, tag. The AAD binds a ciphertext to its place, so that it cannot be moved. */
export const seal = (key: Uint8Array, aad: string, plaintext: Uint8Array): Buffer => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(aad));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
};

export const open = (key: Uint8Array, aad: string, sealed: Uint8Array): Buffer => {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw fail('key.unavailable', 'a sealed value is too short to open');
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
    decipher.setAAD(Buffer.from(aad));
    decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES)), decipher.final()]);
  } catch (thrown) {
    throw fail('key.unavailable', 'a sealed value does not open with its key', {}, thrown);
  }
};

/** Binds a sealed field to its place, so that it does not open elsewhere: workspace, owner, event type, schema version. */
export const fieldAad = (workspaceId: string, ownerId: string, eventType: string, version: number): string =>
  `${workspaceId}|${ownerId}|${eventType}|${version}`;

/** A hash that cannot confirm a guess without the key, and is useless once the key is destroyed. */
export const keyedHash = (key: Uint8Array, text: string): string =>
  createHmac('sha256', key).update('cairn:keyed-hash:1\0').update(text).digest('hex');
