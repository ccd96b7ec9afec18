import {
  itemIsCurrent,
  folderIsVisible,
  itemIsVisible,
  readerSql,
  readerValues,
  inKbIsVisible,
  visibleItems,
  type Reader,
} from '@cairn/access';
import { shownTitle, type Tier } from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import { FIRST_BODY_COLUMNS, joinFirstBody, type FirstBody } from '@cairn/ranking';
import { openMeta } from '@cairn/vault';
import type { Pool } from 'pg';
import { firstTextOf } from '../first-body.js';
import type { KeyOpener } from '../winners.js';

const READER = readerSql(1);

interface AnchorRow {
  readonly id: string;
  /** Whether the item is in the knowledge base and not expired; other items take no part in a walk. */
  readonly live: boolean;
  readonly superseded: boolean;
}

const ANCHORS = `
select i.id, i.in_kb and ${itemIsCurrent('i', { superseded: 'true', expired: 'false' })} as live,
       i.superseded_by_id is not null as superseded
  ${visibleItems(READER)}
    and i.id = any ($5::uuid[])`;

/** The items among these that the reader may see. */
export const visibleAnchors = (pool: Pool, reader: Reader, ids: readonly string[]): Promise<AnchorRow[]> =>
  readRows<AnchorRow>(pool, ANCHORS, [...readerValues(reader), ids]);

/** The fields of an item that a walk shows. */
export interface WalkedItem {
  readonly folderId: string;
  readonly tier: Tier;
  readonly title: string;
  readonly superseded: boolean;
  readonly sourcePurged: boolean;
}

interface ItemRow extends FirstBody, Omit<WalkedItem, 'title'> {
  readonly id: string;
  readonly meta: Buffer;
  readonly wrappedKey: Buffer;
}

/** Whether nothing of the text is left of what an item was derived from. Only sources that the reader may see count, or could see when they were forgotten. */
const SOURCES_GONE = `(
    select bool_and(l.to_gone or source.retention <> 'full')
      from library.memory_links l
      left join library.items source on source.id = l.to_id
      left join library.folders source_folder on source_folder.id = coalesce(source.folder_id, l.gone_folder_id)
      where l.from_id = i.id and l.type = 'derived_from'
        and case when l.to_gone then ${folderIsVisible('source_folder', READER)} and ${inKbIsVisible('l.gone_in_kb', READER)}
              else ${itemIsVisible('source', 'source_folder', READER)} end
  )`;

const ITEMS = `
select item.*, ${FIRST_BODY_COLUMNS}
  from (
    select i.id, i.kind, i.folder_id as "folderId", f.tier, i.meta, i.wrapped_key as "wrappedKey",
           i.superseded_by_id is not null as superseded, i.retention <> 'full' or coalesce(${SOURCES_GONE}, false) as "sourcePurged"
      ${visibleItems(READER)} and i.id = any ($5::uuid[])
  ) item
  ${joinFirstBody('item')}`;

/** The items by id, decrypted. Items that were forgotten or hidden in the meantime are missing. */
export const walkedItems = async (
  pool: Pool,
  vault: KeyOpener,
  reader: Reader,
  ids: readonly string[],
): Promise<ReadonlyMap<string, WalkedItem>> => {
  const { workspaceId } = reader;
  const rows = await readRows<ItemRow>(pool, ITEMS, [...readerValues(reader), ids]);
  return new Map(
    rows.map(({ id, meta, wrappedKey, folderId, tier, superseded, sourcePurged, ...first }) => {
      const { title: stored } = openMeta(vault.unwrap(workspaceId, id, wrappedKey), workspaceId, id, meta);
      const title = shownTitle(stored, () => firstTextOf(vault, workspaceId, first));
      return [id, { folderId, tier, title, superseded, sourcePurged }];
    }),
  );
};
