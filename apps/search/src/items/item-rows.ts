import { readerSql, visibleHead, visibleItems } from '@cairn/access';
import { shownTitle, type ItemSummary, type Placed, type Tier } from '@cairn/contracts';
import { FIRST_BODY_COLUMNS, joinFirstBody, type FirstBody, type KeyOpener } from '@cairn/retrieval';
import { openMeta } from '@cairn/vault';

export interface ItemRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly folder_id: string;
  readonly tier: Tier;
  readonly in_kb: boolean;
  readonly kind: ItemSummary['kind'];
  readonly source_kind: ItemSummary['source']['kind'];
  readonly created_by_agent_id: string;
  readonly confidence: number;
  readonly expires_at: Date | null;
  readonly superseded: boolean;
  readonly visible_head_id: string | null;
  readonly links: ItemSummary['links'];
  readonly meta: Buffer;
  readonly wrapped_key: Buffer;
  readonly position: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly embedding_status: ItemSummary['embeddingStatus'];
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

/** That its present text was given up. */
const GIVEN_UP = `
           and exists (
             select from vectors.failures g
             where g.chunk_id = c.id and g.text_hash = c.text_hash and ($5::text is null or g.model = $5)
           )`;

const COLUMNS = `
select i.id, i.workspace_id, i.folder_id, f.tier, i.in_kb, i.kind, i.source_kind, i.created_by_agent_id, i.confidence,
       i.expires_at, i.superseded_head_id is not null as superseded, ${HEAD} as visible_head_id, i.links, i.meta, i.wrapped_key, i.position, i.created_at, i.updated_at,
       case
         when not exists (${WITHOUT_VECTOR}) then 'ready'
         when exists (${WITHOUT_VECTOR} ${GIVEN_UP}) then 'failed'
         else 'pending'
       end as embedding_status`;

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
  readonly chunk_id: string;
  readonly ordinal: number;
  readonly text: Buffer;
  readonly wrapped_key: Buffer;
}

/** Of an item that is out of scope nothing is read, so that it takes no longer than one that does not exist. */
export const GET_BODIES = `
select chunk_id, ordinal, text, wrapped_key
  from library.bodies
  where item_id = (select i.id ${VISIBLE_ITEMS}
    and i.id = $5)
  order by ordinal`;

/** The item that a chunk is part of, if the reader may see it. */
export const GET_ITEM_OF_CHUNK = `
select i.id ${VISIBLE_ITEMS}
    and i.id = (select c.item_id from library.chunks c where c.id = $5)`;

/** The first text is read where the item has no title of its own. */
export const summaryOf = (
  vault: KeyOpener,
  row: ItemRow,
  firstText: () => string | undefined,
): ItemSummary & Placed => {
  const key = vault.unwrap(row.workspace_id, row.id, row.wrapped_key);
  const { title, tags, sourceName, sourceUri, links } = openMeta(key, row.workspace_id, row.id, row.meta);
  return {
    id: row.id,
    title: shownTitle(title, firstText),
    kind: row.kind,
    folderId: row.folder_id,
    placement: { workspaceId: row.workspace_id, tier: row.tier },
    inKb: row.in_kb,
    tags,
    source: {
      kind: row.source_kind,
      ...(sourceName === undefined ? {} : { name: sourceName }),
      ...(sourceUri === undefined ? {} : { uri: sourceUri }),
    },
    confidence: row.confidence,
    createdByAgentId: row.created_by_agent_id,
    superseded: row.superseded,
    supersededById: row.visible_head_id,
    expiresAt: row.expires_at?.toISOString() ?? null,
    links: links ?? row.links,
    embeddingStatus: row.embedding_status,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
};
