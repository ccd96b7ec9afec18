import { RULES_EXTRACTOR_ID } from '@cairn/extraction';
import { table } from '@cairn/persistence';
import { findingsTables } from './findings.schema.js';

/**
 * Tables of the `graph` read model: findings and statements about the texts. A row counts only while its hash is that
 * of the chunk's text, and only for readers that may see its item; both are joined on read.
 */
export const graphTables = {
  // Item ids that occur in a text. The reader checks whether such an item exists: a row is a function of its text.
  text_links: table({
    columns: {
      chunk_id: 'uuid not null',
      item_id: 'uuid not null',
      workspace_id: 'uuid not null',
      text_hash: 'bytea not null',
      id: 'uuid not null',
      to_id: 'uuid not null',
      position: 'bigint not null',
    },
    constraints: ['primary key (chunk_id, to_id)'],
    indexes: ['(item_id)', '(to_id)'],
  }),
  ...findingsTables(RULES_EXTRACTOR_ID),
};
