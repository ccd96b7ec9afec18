import { ObservedFindings, type ObservedFindings as Findings } from '@cairn/contracts';
import { fieldAad, keyedHash, open, seal } from './cipher.js';

const FINDINGS = { type: 'edge.observed', version: 1 } as const;
const NAME = { type: 'entity.merged', version: 1 } as const;

export const sealFindings = (key: Uint8Array, workspaceId: string, chunkId: string, findings: Findings): Buffer =>
  seal(key, fieldAad(workspaceId, chunkId, FINDINGS.type, FINDINGS.version), Buffer.from(JSON.stringify(findings)));

export const openFindings = (key: Uint8Array, workspaceId: string, chunkId: string, sealed: Uint8Array): Findings =>
  ObservedFindings.parse(
    JSON.parse(open(key, fieldAad(workspaceId, chunkId, FINDINGS.type, FINDINGS.version), sealed).toString()),
  );

/** A name of a merge, under the key of the chunk in which it occurs. */
export const sealName = (key: Uint8Array, workspaceId: string, chunkId: string, name: string): Buffer =>
  seal(key, fieldAad(workspaceId, chunkId, NAME.type, NAME.version), Buffer.from(name));

export const openName = (key: Uint8Array, workspaceId: string, chunkId: string, sealed: Uint8Array): string =>
  open(key, fieldAad(workspaceId, chunkId, NAME.type, NAME.version), sealed).toString();

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
