import { FORGOTTEN, ofItem, type Erasure, type Statement } from '../erasure/erasure.js';
import type { Forgetting } from '../erasure/forgettings.js';
import type { WrappedKeys } from '../rotation/wrapped-keys.js';
import { removeChunks, removeItems } from './library-forgetting.js';
import { linksLeft } from './library-links.js';
import type { Update } from './library-updates.js';

const { itemId: ITEM, isWhole: IS_WHOLE } = FORGOTTEN;

/**
 * A text that waited for a decision and became the item; the live version has removed it, but an older one may still
 * hold it.
 */
const WAITED = `sealed is not null and id in (select id from library.confirmations where item_id = ${ITEM})`;

/**
 * The sealed part of a removed server. No forgetting names it, so each one also clears versions that have not reached
 * the removal.
 */
const REMOVED = `sealed is not null and id in (select id from library.external_mcp_servers where removed_position is not null)`;

/** The same for a disconnected account. */
const DISCONNECTED = `sealed is not null and id in (select id from library.accounts where disconnected_position is not null)`;

/** The op of the forgetting restores the ids of the commands; here the keyed hash of their content is removed. */
const erase = (slot: string, forgetting: Forgetting): Statement[] => {
  const { itemId, workspaceId, chunkIds, sourceRemoved, erased } = forgetting;
  const statements: Statement[] = [];
  const update: Update = (...statement) => void statements.push(statement);
  update(`update ${slot}.external_mcp_servers set sealed = null, wrapped_key = null where ${REMOVED}`, []);
  update(`update ${slot}.accounts set sealed = null, wrapped_key = null where ${DISCONNECTED}`, []);
  if (!sourceRemoved) {
    removeChunks(update, slot, chunkIds);
    return statements;
  }
  removeItems(update, slot, { itemIds: [itemId], workspaceIds: [workspaceId] });
  update(`update ${slot}.confirmations set sealed = null, wrapped_key = null where ${WAITED}`, [itemId]);
  update(
    `update ${slot}.commands set payload_hash = null where workspace_id = $1
       and exists (select from unnest($2::bigint[]) as x(erased) where x.erased between first_position and position)`,
    [workspaceId, erased],
  );
  return statements;
};

export const libraryErasure = {
  method: 'rows deleted, tables rewritten',
  rows: {
    items: `${IS_WHOLE} and id = ${ITEM}`,
    bodies: ofItem(),
    chunks: ofItem('id'),
    confirmations: `${IS_WHOLE} and ${WAITED}`,
    external_mcp_servers: REMOVED,
    memory_links: `${IS_WHOLE} and ${linksLeft(ITEM)}`,
    accounts: DISCONNECTED,
  },
  erase,
} satisfies Erasure;

export const libraryKeys = [
  {
    table: 'items',
    id: 'id',
    rows: (schema: string) =>
      `select id, workspace_id, wrapped_key from ${schema}.items where id > $1 order by id limit $2`,
  },
  {
    table: 'bodies',
    id: 'chunk_id',
    rows: (schema: string) => `select b.chunk_id as id, i.workspace_id, b.wrapped_key
      from ${schema}.bodies b join ${schema}.items i on i.id = b.item_id where b.chunk_id > $1 order by b.chunk_id limit $2`,
  },
  {
    table: 'confirmations',
    id: 'id',
    rows: (schema: string) => `select id, workspace_id, wrapped_key from ${schema}.confirmations
      where id > $1 and wrapped_key is not null order by id limit $2`,
  },
  {
    table: 'external_mcp_servers',
    id: 'id',
    rows: (schema: string) => `select id, workspace_id, wrapped_key from ${schema}.external_mcp_servers
      where id > $1 and wrapped_key is not null order by id limit $2`,
  },
  {
    table: 'accounts',
    id: 'id',
    rows: (schema: string) => `select id, workspace_id, wrapped_key from ${schema}.accounts
      where id > $1 and wrapped_key is not null order by id limit $2`,
  },
] as const satisfies readonly WrappedKeys[];
