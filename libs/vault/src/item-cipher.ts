import { ItemMeta, VECTOR_EVENT, type ItemMeta as Meta } from '@cairn/contracts';
import { fieldAad, open, seal } from './cipher.js';

/**
 * What is sealed in an item's ops, and how it is opened: from the op itself, from the row that a projection copied the
 * ciphertext into, and from the archive, all alike. The AAD names the event that the first text came with, wherever the
 * bytes are now; a corrected text has the same one, because it takes the place of the first.
 */
const TEXT = { type: 'item.stored', version: 1 } as const;

export const sealText = (key: Uint8Array, workspaceId: string, chunkId: string, text: string): Buffer =>
  seal(key, fieldAad(workspaceId, chunkId, TEXT.type, TEXT.version), Buffer.from(text));

export const openText = (key: Uint8Array, workspaceId: string, chunkId: string, sealed: Uint8Array): string =>
  open(key, fieldAad(workspaceId, chunkId, TEXT.type, TEXT.version), sealed).toString();

export const sealMeta = (key: Uint8Array, workspaceId: string, itemId: string, meta: Meta): Buffer =>
  seal(key, fieldAad(workspaceId, itemId, TEXT.type, TEXT.version), Buffer.from(JSON.stringify(meta)));

export const openMeta = (key: Uint8Array, workspaceId: string, itemId: string, sealed: Uint8Array): Meta =>
  ItemMeta.parse(JSON.parse(open(key, fieldAad(workspaceId, itemId, TEXT.type, TEXT.version), sealed).toString()));

const bytesOf = (vector: Float32Array): Uint8Array =>
  new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);

export const sealVector = (key: Uint8Array, workspaceId: string, chunkId: string, vector: Float32Array): Buffer =>
  seal(key, fieldAad(workspaceId, chunkId, VECTOR_EVENT.type, VECTOR_EVENT.version), bytesOf(vector));

export const openVector = (key: Uint8Array, workspaceId: string, chunkId: string, sealed: Uint8Array): Float32Array => {
  const bytes = open(key, fieldAad(workspaceId, chunkId, VECTOR_EVENT.type, VECTOR_EVENT.version), sealed);
  // A copy, because a pooled buffer need not start at a multiple of four bytes.
  return new Float32Array(new Uint8Array(bytes).buffer);
};
