import { versionedLines } from './opensearch-tombstone.js';

/**
 * The document in which an index says up to which position it was written. An index that was restored from a snapshot
 * says an earlier one than its checkpoint (ADR 0131).
 */
export const MARK_ID = 'checkpoint';

export const MARK_MAPPING = { checkpoint: { type: 'long', index: false, doc_values: false } } as const;

/** It has the form of a tombstone that never becomes old, so no query finds it and no purge removes it. */
const NEVER = '9999-12-31T00:00:00.000Z';

export const markLines = (position: number): Record<string, unknown>[] =>
  versionedLines(MARK_ID, position, { removedAt: NEVER, checkpoint: position });
