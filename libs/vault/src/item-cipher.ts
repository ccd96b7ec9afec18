import { ItemMeta, keepingUnknown, VECTOR_EVENT, type ItemMeta as Meta } from '@cairn/contracts';
import { fieldAad, open, seal } from './cipher.js';

/**
 * Seals and opens the fields of an item's ops. Opening works the same for the op itself, for the row that a projection
 * copied the ciphertext into, and for the archive: the AAD names the event that carried the first text, wherever the bytes
 * are now. A corrected text has the same AAD, because it replaces the first.
 */
const TEXT = { type: 'item.stored', version: 1 } as const;

export const sealText = (key: Uint8Array, workspaceId: string, chunkId: string, text: string): Buffer =>
  seal(key, fieldAad(workspaceId, chunkId, TEXT.type, TEXT.version), Buffer.from(text));

export const openText = (key: Uint8Array, workspaceId: string, chunkId: string, sealed: Uint8Array): string =>
  open(key, fieldAad(workspaceId, chunkId, TEXT.type, TEXT.version), sealed).toString();

export const sealMeta = (key: Uint8Array, workspaceId: string, itemId: string, meta: Meta): Buffer =>
  seal(key, fieldAad(workspaceId, itemId, TEXT.type, TEXT.version), Buffer.from(JSON.stringify(meta)));

export const openMeta = (key: Uint8Array, workspaceId: string, itemId: string, sealed: Uint8Array): Meta =>
  keepingUnknown(ItemMeta).parse(
    JSON.parse(open(key, fieldAad(workspaceId, itemId, TEXT.type, TEXT.version), sealed).toString()),
  );

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

export const sealVector = (key: Uint8Array, workspaceId: string, chunkId: string, vector: Float32Array): Buffer =>
  seal(key, fieldAad(workspaceId, chunkId, VECTOR_EVENT.type, VECTOR_EVENT.version), bytesOf(vector));

export const openVector = (key: Uint8Array, workspaceId: string, chunkId: string, sealed: Uint8Array): Float32Array => {
  const bytes = open(key, fieldAad(workspaceId, chunkId, VECTOR_EVENT.type, VECTOR_EVENT.version), sealed);
  // A copy, because a pooled buffer may not start at a multiple of four bytes.
  return new Float32Array(new Uint8Array(bytes).buffer);
};
