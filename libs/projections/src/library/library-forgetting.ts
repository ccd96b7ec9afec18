import type { ErasedOp } from '@cairn/contracts';
import type { StatementSink } from '../projection.js';
import { arrayLiteral } from '../row-buffer.js';
import { deleteChunks } from './library-counts.js';
import { linksGone, removeLinks } from './library-links.js';
import type { OpOf, Update } from './library-updates.js';

type ItemForgotten = OpOf<'item.forgotten'>;

/** A removed item no longer counts, neither in its folder nor in its quota. */
const deleteItems = (schema: string): string =>
  `with gone as (
     delete from ${schema}.items where id = any ($1::uuid[]) returning workspace_id, folder_id, in_kb, kind
   ), uncounted as (
     update ${schema}.folders f set item_count = f.item_count - counted.n
     from (select folder_id, count(*) as n from gone where in_kb group by folder_id) counted
     where f.id = counted.folder_id
   )
   update ${schema}.quotas q set used = q.used - counted.n
   from (select workspace_id, count(*) as n from gone where kind = 'knowledge' group by workspace_id) counted
   where q.workspace_id = counted.workspace_id and q.name = 'knowledge_stored'`;

/** Several ops may name the same forgetting. */
const byReceipt = (ops: readonly ItemForgotten[]) => {
  const rows = new Map<string, { last: ItemForgotten; chunkIds: string[]; erased: number[] }>();
  for (const op of ops) {
    const { chunkIds = [], erased = [] } = rows.get(op.data.receiptId) ?? {};
    chunkIds.push(...op.data.chunkIds);
    erased.push(...op.data.erased.map(({ position }) => position));
    rows.set(op.data.receiptId, { last: op, chunkIds, erased });
  }
  return [...rows.values()];
};

/** Removes the rows that it finds: repeated, or for a later op, it changes nothing more. */
export const removeItems = (
  update: Update,
  schema: string,
  { itemIds, workspaceIds }: { readonly itemIds: readonly string[]; readonly workspaceIds: readonly string[] },
): void => {
  update(deleteChunks(schema, 'item_id = any ($1::uuid[])'), [itemIds]);
  update(`delete from ${schema}.bodies where item_id = any ($1::uuid[])`, [itemIds]);
  update(deleteItems(schema), [itemIds]);
  removeLinks(update, schema, itemIds);
  // An unused quota without a limit is removed, as if it had never existed.
  update(`delete from ${schema}.quotas where workspace_id = any ($1::uuid[]) and used = 0 and max_used is null`, [
    workspaceIds,
  ]);
};

/** The title is on the first remaining chunk. */
const handTitlesOn = (schema: string): string =>
  `update ${schema}.chunks heir set title = gone.title
   from ${schema}.chunks gone
   where gone.id = any ($1::uuid[]) and gone.title is not null
     and heir.id = (
       select c.id from ${schema}.chunks c join ${schema}.bodies b on b.chunk_id = c.id
       where c.item_id = gone.item_id and c.id <> all ($1::uuid[])
       order by b.ordinal limit 1
     )`;

/** In a rebuild, all chunks before those of an `item.extended` may be gone. Item $1, its title $2. */
export const titleFirstChunk = (schema: string): string =>
  `update ${schema}.chunks set title = $2
   where id = (
       select c.id from ${schema}.chunks c join ${schema}.bodies b on b.chunk_id = c.id
       where c.item_id = $1 order by b.ordinal limit 1
     )
     and not exists (select from ${schema}.chunks where item_id = $1 and title is not null)`;

/** Like `removeItems`, for single chunks. */
export const removeChunks = (update: Update, schema: string, chunkIds: readonly string[]): void => {
  update(handTitlesOn(schema), [chunkIds]);
  update(deleteChunks(schema, 'id = any ($1::uuid[])'), [chunkIds]);
  update(`delete from ${schema}.bodies where chunk_id = any ($1::uuid[])`, [chunkIds]);
};

/**
 * Starts from the ids in the op: in a rebuild some of the items never existed, because they are forgotten later, but
 * the items that point to them are still found. An item that becomes visible again is the newest of its own chain.
 */
const leadOn = (schema: string): string =>
  `with recursive older(id, head) as (
     select id, coalesce($3::uuid, id) from unnest($1::uuid[]) as x(id)
     union
     select i.id, older.head from older join ${schema}.items i on i.superseded_by_id = older.id
   )
   update ${schema}.items i
   set superseded_head_id = nullif(older.head, i.id),
     superseded_by_id = case when i.id = any ($1::uuid[]) then $2::uuid else i.superseded_by_id end,
     updated_at = case when i.id = any ($1::uuid[]) then $4::timestamptz else i.updated_at end
   from older where i.id = older.id`;

const chainsLedOn = (update: Update, schema: string, { data, at }: ItemForgotten): void => {
  if (!data.ledOn) return;
  const { items, to } = data.ledOn;
  const itemIds = items.map(({ itemId }) => itemId);
  update(leadOn(schema), [itemIds, to?.byItemId ?? null, to?.headId ?? null, at]);
  if (!to) update(`update ${schema}.chunks set superseded = false where item_id = any ($1::uuid[])`, [itemIds]);
};

/**
 * Only ids are left. Every statement removes the rows that it finds: in a rebuild the items may never have existed,
 * because their ops are erased, and the rows must come out the same. Consecutive ops in the log are applied together.
 */
export const itemsForgotten = (update: Update, schema: string, ops: readonly ItemForgotten[]): void => {
  const itemIds = [...new Set(ops.map(({ data }) => data.itemId))];
  removeItems(update, schema, { itemIds, workspaceIds: ops.map(({ workspace }) => workspace) });
  linksGone(update, schema, ops);
  for (const op of ops) chainsLedOn(update, schema, op);
  const rows = byReceipt(ops);
  update(
    `insert into ${schema}.forgets as f
       (receipt_id, workspace_id, item_id, chunk_ids, source_removed, erased, position, forgotten_at)
     select receipt, workspace, item, chunks::uuid[], true, erased::bigint[], position, at
     from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::bigint[], $7::timestamptz[])
       as x(receipt, workspace, item, chunks, erased, position, at)
     on conflict (receipt_id) do update set source_removed = true, position = excluded.position,
       chunk_ids = array(select distinct unnest(f.chunk_ids || excluded.chunk_ids) order by 1),
       erased = array(select distinct unnest(f.erased || excluded.erased) order by 1)`,
    [
      rows.map(({ last }) => last.data.receiptId),
      rows.map(({ last }) => last.workspace),
      rows.map(({ last }) => last.data.itemId),
      rows.map(({ chunkIds }) => arrayLiteral(chunkIds)),
      rows.map(({ erased }) => arrayLiteral(erased.map(String))),
      rows.map(({ last }) => last.position),
      rows.map(({ last }) => last.at),
    ],
  );
};

export const chunkForgotten = (update: Update, schema: string, op: OpOf<'chunk.forgotten'>): void => {
  const { data, workspace, position, at } = op;
  const { chunkId, itemId, receiptId } = data;
  removeChunks(update, schema, [chunkId]);
  update(`update ${schema}.items set updated_at = $2 where id = $1`, [itemId, at]);
  update(
    `insert into ${schema}.forgets
       (receipt_id, workspace_id, item_id, chunk_ids, source_removed, erased, position, forgotten_at)
     values ($1, $2, $3, $4, false, '{}', $5, $6) on conflict do nothing`,
    [receiptId, workspace, itemId, [chunkId], position, at],
  );
};

export const receiptIssued = (update: Update, schema: string, { data }: OpOf<'receipt.issued'>): void =>
  update(`update ${schema}.forgets set receipt = $2::jsonb where receipt_id = $1`, [
    data.receiptId,
    JSON.stringify(data),
  ]);

interface ErasedCommand {
  readonly first: ErasedOp;
  readonly itemId: string;
  readonly position: number;
}

/** What is known of the commands that made the erased ops. One command may have made items that are forgotten in any order. */
const commandsOf = (ops: readonly ItemForgotten[]): ErasedCommand[] => {
  const commands = new Map<string, ErasedCommand>();
  for (const { data } of ops) {
    for (const op of data.erased) {
      const key = `${op.workspace}|${op.commandId}`;
      const known = commands.get(key);
      const { first, itemId } =
        known && known.first.position < op.position ? known : { first: op, itemId: data.itemId };
      commands.set(key, { first, itemId, position: Math.max(op.position, known?.position ?? 0) });
    }
  }
  return [...commands.values()];
};

/**
 * The commands that made the erased ops must not be executed again, so their ids stay, and a rebuild restores them from
 * here. In a rebuild the row may come from a later op of the command that is not erased: the first one counts. The keyed
 * hash of their content is removed: its key belongs to the installation and could confirm a guess.
 */
export const keepCommandIds = (db: StatementSink, schema: string, ops: readonly ItemForgotten[]): void => {
  const rows = commandsOf(ops);
  if (rows.length === 0) return;
  void db.query(
    `insert into ${schema}.commands as c
       (id, workspace_id, position, first_position, entity_id, type, token_id, payload_hash)
     select id, workspace, position, first, entity, type, token, null
     from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::bigint[], $5::uuid[], $6::text[], $7::uuid[])
       as x(id, workspace, position, first, entity, type, token)
     on conflict (workspace_id, id) do update
       set position = greatest(c.position, excluded.position), payload_hash = null,
         first_position = least(c.first_position, excluded.first_position),
         entity_id = case when excluded.first_position <= c.first_position then excluded.entity_id else c.entity_id end,
         type = case when excluded.first_position <= c.first_position then excluded.type else c.type end`,
    [
      rows.map(({ first }) => first.commandId),
      rows.map(({ first }) => first.workspace),
      rows.map(({ position }) => position),
      rows.map(({ first }) => first.position),
      rows.map(({ itemId }) => itemId),
      rows.map(({ first }) => first.type),
      rows.map(({ first }) => first.actor.tokenId),
    ],
  );
};
