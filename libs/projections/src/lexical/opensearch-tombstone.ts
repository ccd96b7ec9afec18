/**
 * A chunk that is removed from the index is replaced by a document without content, which carries the position as version
 * like any other: an older write that arrives late finds a newer version and is rejected. OpenSearch remembers the
 * version of a deleted document for only a minute (ADR 0034).
 */
const REMOVED_AT = 'removedAt';

export const TOMBSTONE_MAPPING = { [REMOVED_AT]: { type: 'date' } } as const;

/** Part of every query, to exclude tombstones. */
export const NOT_REMOVED = { bool: { must_not: { exists: { field: REMOVED_AT } } } };

/**
 * Tombstones that are no longer needed. No write takes a day: a client gives up after seconds, and a rebuild that
 * continues after years no longer finds a key to decrypt forgotten content.
 */
export const OLD_TOMBSTONES = { range: { [REMOVED_AT]: { lt: 'now-1d' } } };

/** Lines of a bulk request, with the position as version, so that an older write never replaces a newer one. */
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
