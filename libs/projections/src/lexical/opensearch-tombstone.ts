/**
 * What is taken out of the index leaves a document without content in its place, which carries the position as version
 * like any other: a write from before that arrives late finds something newer and is refused. OpenSearch remembers the
 * version of a document that was deleted for a minute only (ADR 0034).
 */
const REMOVED_AT = 'removedAt';

export const TOMBSTONE_MAPPING = { [REMOVED_AT]: { type: 'date' } } as const;

/** Part of every query: a tombstone is no document. */
export const NOT_REMOVED = { bool: { must_not: { exists: { field: REMOVED_AT } } } };

/**
 * Tombstones that have done their work. No write is under way for a day: a client gives up after seconds, and a rebuild
 * that goes on after years finds no key any more to open what was forgotten.
 */
export const OLD_TOMBSTONES = { range: { [REMOVED_AT]: { lt: 'now-1d' } } };

/** Lines of a bulk request: the position as version, so that an older write never takes the place of a newer. */
export const versionedLines = (
  chunkId: string,
  position: number,
  document: Readonly<Record<string, unknown>>,
): Record<string, unknown>[] => [
  { index: { _id: chunkId, version: position, version_type: 'external_gte' } },
  document,
];

export const tombstoneLines = (chunkId: string, position: number, at: Date): Record<string, unknown>[] =>
  versionedLines(chunkId, position, { [REMOVED_AT]: at.toISOString() });
