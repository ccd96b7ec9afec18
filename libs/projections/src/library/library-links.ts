import type { StoredLink } from '@cairn/contracts';
import { RowBuffer } from '../row-buffer.js';
import type { OpOf, Update } from './library-updates.js';

export interface LinkRow extends StoredLink {
  readonly workspace: string;
  readonly position: number;
}

export const linkBuffer = () =>
  new RowBuffer<LinkRow>(
    {
      linkId: 'uuid',
      workspace: 'uuid',
      fromItemId: 'uuid',
      toItemId: 'uuid',
      type: 'text',
      confidence: 'real',
      sourceKind: 'text',
      position: 'bigint',
    },
    (schema, x) => `insert into ${schema}.memory_links
        (id, workspace_id, from_id, to_id, type, confidence, source_kind, to_gone, position)
      select "linkId", workspace, "fromItemId", "toItemId", type, confidence, "sourceKind", false, position from ${x}
      on conflict do nothing`,
  );

export const linksRemoved = (update: Update, schema: string, { data }: OpOf<'link.removed'>): void =>
  update(`delete from ${schema}.memory_links where id = any ($1::uuid[])`, [data.linkIds]);

/**
 * A link is removed with either end. An exception is an item that was derived from a forgotten one: its link stays, to
 * show that the source is gone, until the item itself is forgotten.
 */
export const removeLinks = (update: Update, schema: string, itemIds: readonly string[]): void => {
  update(`delete from ${schema}.memory_links where from_id = any ($1::uuid[])`, [itemIds]);
  update(`delete from ${schema}.memory_links where to_id = any ($1::uuid[]) and type <> 'derived_from'`, [itemIds]);
  update(`update ${schema}.memory_links set to_gone = true where to_id = any ($1::uuid[]) and not to_gone`, [itemIds]);
};

/**
 * Follows `removeLinks`. Also in a version whose links the erasure of rows has reached before the op. What the row of the
 * item held comes from the op: in a rebuild that row may never have existed. An op that does not name it hides the most.
 */
export const linksGone = (update: Update, schema: string, ops: readonly OpOf<'item.forgotten'>[]): void =>
  update(
    `update ${schema}.memory_links l set gone_folder_id = x.folder_id, gone_in_kb = x.in_kb
     from unnest($1::uuid[], $2::uuid[], $3::boolean[]) as x(item_id, folder_id, in_kb)
     where l.to_id = x.item_id and l.gone_folder_id is null`,
    [
      ops.map(({ data }) => data.itemId),
      ops.map(({ data }) => data.folderId),
      ops.map(({ data }) => data.inKb ?? false),
    ],
  );

/** The condition for links that `removeLinks` must not leave. */
export const linksLeft = (itemId: string): string => `(from_id = ${itemId} or (to_id = ${itemId} and not to_gone))`;
