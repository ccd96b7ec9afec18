import { FORGOTTEN, ofItem, valuesOf, type Erasure, type Statement } from '../erasure/erasure.js';
import type { Forgetting } from '../erasure/forgettings.js';
import { findingsDeletions } from './findings-changes.js';

const { itemId: ITEM, chunkIds: CHUNKS, isWhole: IS_WHOLE } = FORGOTTEN;

/** Rows of the alias `m` that hold forgotten content. */
const GONE = `(m.chunk_id = any (${CHUNKS}) or (${IS_WHOLE} and m.item_id = ${ITEM}))`;

/** A name without a mention belongs to forgotten content of its workspace; other workspaces have their own receipts. */
const orphaned = (slot: string): string =>
  `workspace_id = ${FORGOTTEN.workspaceId} and not exists (
     select from ${slot}.mentions m where m.workspace_id = entities.workspace_id and m.entity_key = entities.key)`;

/** Names are deleted together with their last mention, and therefore before it. */
const erase = (slot: string, forgetting: Forgetting): Statement[] => {
  const given = valuesOf(forgetting).slice(0, 3);
  const others = ['text_links', 'merges', 'reviews'].map((table) => `delete from ${slot}.${table} m where ${GONE}`);
  return [...findingsDeletions(GONE).map((sql) => sql(slot)), ...others].map((sql) => [sql, given]);
};

export const graphErasure = {
  method: 'rows deleted, tables rewritten',
  rows: {
    text_links: ofItem(),
    mentions: ofItem(),
    edges: ofItem(),
    entities: orphaned,
    merges: ofItem(),
    reviews: ofItem(),
  },
  erase,
} satisfies Erasure;
