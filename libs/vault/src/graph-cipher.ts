import { fieldAad, keyedHash, open, seal } from './cipher.js';

const aadOf = (workspaceId: string, chunkId: string): string => fieldAad(workspaceId, chunkId, 'entity.merged', 1);

/** A name of a merge, under the key of the chunk in which it occurs. */
export const sealName = (key: Uint8Array, workspaceId: string, chunkId: string, name: string): Buffer =>
  seal(key, aadOf(workspaceId, chunkId), Buffer.from(name));

export const openName = (key: Uint8Array, workspaceId: string, chunkId: string, sealed: Uint8Array): string =>
  open(key, aadOf(workspaceId, chunkId), sealed).toString();

/** The two ends and the predicate of an edge, by the keys of its names. */
export interface EdgeKeys {
  readonly subjectKey: string;
  readonly predicate: string;
  readonly objectKey: string;
}

/**
 * Identifies an edge of one chunk: the same for every extractor, and meaningless without the chunk's key. The first
 * word distinguishes it from the hash of a text.
 */
export const edgeRef = (chunkKey: Uint8Array, { subjectKey, predicate, objectKey }: EdgeKeys): string =>
  keyedHash(chunkKey, JSON.stringify(['edge', subjectKey, predicate, objectKey]));
