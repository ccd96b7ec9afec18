import { table } from '@cairn/persistence';

/** The columns of every row that comes from a chunk: its place, and the text for which it is valid. */
const ofChunk = {
  chunk_id: 'uuid not null',
  item_id: 'uuid not null',
  workspace_id: 'uuid not null',
  text_hash: 'bytea not null',
  // The number of the row within its op and chunk: an op that is applied twice adds nothing.
  ordinal: 'int not null',
} as const;
const ONCE_PER_OP = 'primary key (chunk_id, position, ordinal)';

/** Keys are compared byte by byte, so that every installation lists them in the same order. */
const KEY = 'text collate "C" not null';

/**
 * Tables of the statements in texts. Rows are functions of one op; merges and verdicts are joined on read, so the order
 * of the ops does not matter. `extractor` names the reader of the texts: another one rebuilds the tables.
 */
export const findingsTables = (extractor: string) => ({
  mentions: table({
    note: `read by ${extractor}`,
    columns: {
      ...ofChunk,
      entity_key: KEY,
      surface: 'text not null',
      type: 'text not null',
      type_confidence: 'double precision not null',
      confidence: 'double precision not null',
      // `rules` for findings in the text, otherwise the author of the statement.
      origin: 'text not null',
      start: 'int',
      stop: 'int',
      position: 'bigint not null',
    },
    constraints: [ONCE_PER_OP],
    // The newest first: naming an entity reads a few of its mentions.
    indexes: ['(workspace_id, entity_key, position desc, chunk_id, ordinal)', '(item_id)'],
  }),
  edges: table({
    columns: {
      ...ofChunk,
      // A hash under the key of the chunk that identifies the edge in this chunk, for verdicts.
      ref_hash: 'bytea not null',
      id: 'uuid not null',
      subject_key: KEY,
      predicate: 'text not null',
      object_key: KEY,
      confidence: 'double precision not null',
      source_kind: 'text not null',
      negated: 'boolean not null',
      valid_from: 'text',
      valid_to: 'text',
      origin: 'text not null',
      position: 'bigint not null',
    },
    constraints: [ONCE_PER_OP],
    indexes: [
      // The most certain first: a walk stops reading at a name that more is stated of than it needs.
      '(workspace_id, subject_key, confidence desc, position, chunk_id, ordinal)',
      '(workspace_id, object_key, confidence desc, position, chunk_id, ordinal)',
      '(id)',
      '(item_id)',
      `(workspace_id, position desc) where source_kind = 'ambiguous'`,
    ],
  }),
  // The names that have a mention, each once: an index of names, which is never shown without checking the mentions.
  entities: table({
    columns: { workspace_id: 'uuid not null', key: KEY, id: 'uuid not null' },
    constraints: ['primary key (workspace_id, key)'],
    indexes: ['(id)', `using gin (to_tsvector('simple'::regconfig, key))`],
  }),
  // One row per anchor of a merge.
  merges: table({
    columns: {
      merge_id: 'uuid not null',
      workspace_id: 'uuid not null',
      side: 'text not null',
      chunk_id: 'uuid not null',
      item_id: 'uuid not null',
      key: KEY,
      name: 'text not null',
      position: 'bigint not null',
    },
    constraints: ['primary key (merge_id, side, chunk_id, name)'],
    indexes: ['(workspace_id, key)', '(chunk_id)', '(item_id)'],
  }),
  reviews: table({
    columns: {
      chunk_id: 'uuid not null',
      item_id: 'uuid not null',
      ref_hash: 'bytea not null',
      verdict: 'text not null',
      position: 'bigint not null',
    },
    constraints: ['primary key (chunk_id, ref_hash)'],
    indexes: ['(item_id)'],
  }),
});
