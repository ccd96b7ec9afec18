import { readerSql, visibleHead, visibleItems } from '@cairn/access';
import { ItemSummary, shownTitle, type ItemDetail, type Placed, type Retention, type Tier } from '@cairn/contracts';
import { columnsOf, fieldNames, viewOf, type RowOf } from '@cairn/persistence';
import { FIRST_BODY_COLUMNS, joinFirstBody, type FirstBody } from '@cairn/ranking';
import type { KeyOpener } from '@cairn/retrieval';
import { openMeta } from '@cairn/vault';

/** The unsealed columns of an item; title, tags and source are sealed in `meta`. */
const Shown = ItemSummary.omit({ title: true, tags: true, source: true, links: true });
const Stored = Shown.omit({ superseded: true, supersededById: true, embeddingStatus: true });
const SEALED = ['workspaceId', 'sourceKind', 'links', 'meta', 'wrappedKey', 'position'];

export interface ItemRow extends RowOf<typeof Shown> {
  readonly retention: Retention;
  readonly accountId: string | null;
  readonly connectorId: string | null;
  readonly id: string;
  readonly workspaceId: string;
  readonly tier: Tier;
  readonly sourceKind: ItemSummary['source']['kind'];
  readonly links: ItemSummary['links'];
  readonly meta: Buffer;
  readonly wrappedKey: Buffer;
  readonly position: string;
}

/** Parameters: workspace, folders or null, sees sensitive, in the knowledge base only, model in use or null. */
const READER = readerSql(1);
const VISIBLE_ITEMS = visibleItems(READER);
const HEAD = visibleHead(READER);

const WITHOUT_VECTOR = `
         select from library.chunks c
         where c.item_id = i.id
           and not exists (
             select from vectors.embeddings e
             where e.chunk_id = c.id and e.text_hash = c.text_hash and ($5::text is null or e.model = $5)
           )`;

/** True if embedding its present text was given up. */
const GIVEN_UP = `
           and exists (
             select from vectors.failures g
             where g.chunk_id = c.id and g.text_hash = c.text_hash and ($5::text is null or g.model = $5)
           )`;

const COLUMNS = `
select ${columnsOf('i', [...fieldNames(Stored), ...SEALED, 'retention', 'accountId'])}, f.tier,
       (select a.connector_id from library.accounts a where a.id = i.account_id) as "connectorId",
       i.superseded_head_id is not null as superseded, ${HEAD} as "supersededById",
       case
         when not exists (${WITHOUT_VECTOR}) then 'ready'
         when exists (${WITHOUT_VECTOR} ${GIVEN_UP}) then 'failed'
         else 'pending'
       end as "embeddingStatus"`;

export const GET_ITEM = `${COLUMNS} ${VISIBLE_ITEMS}
    and i.id = $6`;

const ITEM_PAGE = `${COLUMNS} ${VISIBLE_ITEMS}
    and ($6::uuid is null or i.folder_id = $6)
    and ($7::boolean is null or i.in_kb = $7)
    and ($8::text is null or i.kind = $8)
    and ($9::bigint is null or i.position < $9)
  order by i.position desc
  limit $10`;

export type ListedRow = ItemRow & FirstBody;

export const LIST_ITEMS = `
select item.*, ${FIRST_BODY_COLUMNS}
  from (${ITEM_PAGE}) item
  ${joinFirstBody('item')}
  order by item.position desc`;

export interface BodyRow {
  readonly id: string;
  readonly ordinal: number;
  readonly text: Buffer;
  readonly wrappedKey: Buffer;
}

/** Nothing is read for an item out of scope, so it takes no longer than one that does not exist. */
export const GET_BODIES = `
select chunk_id as id, ordinal, text, wrapped_key as "wrappedKey"
  from library.bodies
  where item_id = (select i.id ${VISIBLE_ITEMS}
    and i.id = $5)
  order by ordinal`;

/** The item of a chunk, if the reader may see it. */
export const GET_ITEM_OF_CHUNK = `
select i.id ${VISIBLE_ITEMS}
    and i.id = (select c.item_id from library.chunks c where c.id = $5)`;

/** Columns that only a single item shows, sealed with its title. */
export const sealedDetail = (vault: KeyOpener, row: ItemRow): Pick<ItemDetail, 'format' | 'extra'> => {
  const key = vault.unwrap(row.workspaceId, row.id, row.wrappedKey);
  const { format, extra } = openMeta(key, row.workspaceId, row.id, row.meta);
  return { ...(format && { format }), ...(extra && { extra }) };
};

/** The first text is read if the item has no title of its own. */
export const summaryOf = (
  vault: KeyOpener,
  row: ItemRow,
  firstText: () => string | undefined,
): ItemSummary & Placed => {
  const { workspaceId, tier, sourceKind } = row;
  const key = vault.unwrap(workspaceId, row.id, row.wrappedKey);
  const { title, tags, sourceName, sourceUri, links } = openMeta(key, workspaceId, row.id, row.meta);
  return {
    ...viewOf(Shown, row),
    placement: { workspaceId, tier },
    title: shownTitle(title, firstText),
    tags,
    source: {
      kind: sourceKind,
      ...(sourceName === undefined ? {} : { name: sourceName }),
      ...(sourceUri === undefined ? {} : { uri: sourceUri }),
    },
    links: links ?? row.links,
  };
};
