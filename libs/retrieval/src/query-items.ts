import {
  folderIsVisible,
  folderReaderValues,
  isCurrent,
  itemIsVisible,
  notFound,
  readerSql,
  readerValues,
  seesNothing,
  visibleItems,
  type Reader,
} from '@cairn/access';
import {
  METADATA_OPENED_MAX,
  METADATA_TOTAL_MAX,
  shownTitle,
  type ItemFilter,
  type ItemKind,
  type ItemMeta,
  type ItemQueryAnswer,
  type QueriedItem,
  type Tier,
} from '@cairn/contracts';
import { readRows } from '@cairn/persistence';
import { FIRST_BODY_COLUMNS, joinFirstBody, type FirstBody } from '@cairn/ranking';
import { openMeta } from '@cairn/vault';
import type { Pool } from 'pg';
import { firstTextOf } from './first-body.js';
import type { KeyOpener } from './winners.js';

interface Stores {
  readonly pool: Pool;
  readonly vault: KeyOpener;
  /** The keys of an entity's names. The statement that uses them checks whether the reader may see a mention. */
  readonly entityKeys: (name: string) => Promise<readonly string[]>;
}

interface FoundRow {
  readonly id: string;
  readonly workspaceId: string;
  readonly sourceKind: QueriedItem['source']['kind'];
  readonly position: string;
  readonly meta: Buffer;
  readonly wrappedKey: Buffer;
}

interface ShownRow extends FoundRow, FirstBody {
  readonly folderId: string;
  readonly tier: Tier;
  readonly inKb: boolean;
  readonly kind: ItemKind;
  readonly superseded: boolean;
  readonly createdAt: Date;
}

const READER = readerSql(1);
const FOUND =
  'i.id, i.workspace_id as "workspaceId", i.source_kind as "sourceKind", i.position, i.meta, i.wrapped_key as "wrappedKey"';

/** The tags of an item outside the knowledge base are only in its sealed meta. */
const MATCHING = `($5::uuid is null or i.folder_id = $5)
    and ($6::timestamptz is null or i.created_at >= $6)
    and ($7::timestamptz is null or i.created_at < $7)
    and ($8::text is null or i.kind = $8)
    and ($9::text[] is null or not i.in_kb
      or exists (select from library.chunks c where c.item_id = i.id and c.tags @> $9))
    and ($10::bigint is null or i.position < $10)`;

const NEWEST = `
  order by i.position desc
  limit $11`;

const FIND = `
select ${FOUND} ${visibleItems(READER)}
    and ${MATCHING} ${NEWEST}`;

/**
 * From the mentions of the names to the items. As everywhere in the graph, a mention counts while its chunk reads as it
 * did then and is current.
 */
const FIND_MENTIONING = `
with mentioning as materialized (
  select distinct m.item_id
    from graph.mentions m
    join library.chunks c on c.id = m.chunk_id and c.text_hash = m.text_hash and (${isCurrent('c')}) is true
    where m.workspace_id = $1 and m.entity_key = any ($12)
)
select ${FOUND}
  from mentioning
  join library.items i on i.id = mentioning.item_id
  join library.folders f on f.id = i.folder_id
  where (${itemIsVisible('i', 'f', READER)}
    and ${MATCHING}) is true ${NEWEST}`;

const SHOW = `
select item.*, ${FIRST_BODY_COLUMNS}
  from (
    select ${FOUND}, i.folder_id as "folderId", f.tier, i.in_kb as "inKb", i.kind,
           i.superseded_head_id is not null as superseded, i.created_at as "createdAt"
    ${visibleItems(READER)}
      and i.id = any ($5)
  ) item
  ${joinFirstBody('item')}
  order by item.position desc`;

const FOLDER = `select f.id from library.folders f where ${folderIsVisible('f', READER)} and f.id = $4`;

const BATCH = 1_000;

const metaOf = (vault: KeyOpener, row: FoundRow): ItemMeta =>
  openMeta(vault.unwrap(row.workspaceId, row.id, row.wrappedKey), row.workspaceId, row.id, row.meta);

/** Whether a row must be decrypted to see if it matches. */
const needsOpening = ({ tags, source }: ItemFilter): boolean => tags !== undefined || source !== undefined;

const matches = (vault: KeyOpener, row: FoundRow, { tags = [], source }: ItemFilter): boolean => {
  const meta = metaOf(vault, row);
  if (!tags.every((tag) => meta.tags.includes(tag))) return false;
  const wanted = source?.toLowerCase();
  return wanted === undefined || [row.sourceKind, meta.sourceName?.toLowerCase()].includes(wanted);
};

interface Found {
  /** Newest first. */
  readonly ids: readonly string[];
  readonly truncated: boolean;
}

/** At most 1,000 of the matching items. Filters on sealed fields cost a decryption each, so their number is bounded. */
const find = async ({ pool, vault, entityKeys }: Stores, filter: ItemFilter, reader: Reader): Promise<Found> => {
  const { folderId = null, from = null, to = null, kind = null, tags = null } = filter;
  const { entityName } = filter;
  const mentioning = entityName === undefined ? [] : [await entityKeys(entityName)];
  const statement = entityName === undefined ? FIND : FIND_MENTIONING;
  const isOpened = needsOpening(filter);
  const ids: string[] = [];
  let before: string | null = null;
  for (let seen = 0; seen < METADATA_OPENED_MAX; seen += BATCH) {
    const values: unknown[] = [...readerValues(reader), folderId, from, to, kind, tags, before, BATCH, ...mentioning];
    const rows: FoundRow[] = await readRows<FoundRow>(pool, statement, values);
    const matching = isOpened ? rows.filter((row) => matches(vault, row, filter)) : rows;
    ids.push(...matching.map(({ id }) => id));
    if (ids.length >= METADATA_TOTAL_MAX) return { ids: ids.slice(0, METADATA_TOTAL_MAX), truncated: false };
    if (rows.length < BATCH) return { ids, truncated: false };
    before = rows.at(-1)!.position;
  }
  return { ids, truncated: true };
};

const shownOf = (vault: KeyOpener, row: ShownRow): QueriedItem => {
  const { id, workspaceId, folderId, tier, inKb, kind, superseded, sourceKind } = row;
  const { title, tags, sourceName: name, sourceUri: uri } = metaOf(vault, row);
  return {
    id,
    folderId,
    placement: { workspaceId, tier },
    title: shownTitle(title, () => firstTextOf(vault, workspaceId, row)),
    inKb,
    kind,
    tags,
    source: { kind: sourceKind, ...(name !== undefined && { name }), ...(uri !== undefined && { uri }) },
    superseded,
    createdAt: new Date(row.createdAt).toISOString(),
  };
};

/** Each filter of a query separately. A time range is one filter. */
const alone = ({ from, to, ...others }: ItemFilter): readonly (readonly [string, ItemFilter])[] => {
  const single = Object.entries(others).filter(([, value]) => value !== undefined);
  const range = from === undefined && to === undefined ? [] : [['date', { from, to }] as const];
  return [...single.map(([name, value]) => [name, { [name]: value }] as const), ...range];
};

/** Shows the caller which of several filters matches nothing. */
const matchedAlone = async (stores: Stores, filter: ItemFilter, reader: Reader): Promise<Record<string, number>> => {
  const counts: [string, number][] = [];
  for (const [name, one] of alone(filter)) counts.push([name, (await find(stores, one, reader)).ids.length]);
  return Object.fromEntries(counts);
};

const checkFolder = async ({ pool }: Stores, { folderId }: ItemFilter, reader: Reader): Promise<void> => {
  if (folderId === undefined) return;
  const rows = seesNothing(reader) ? [] : await readRows(pool, FOLDER, [...folderReaderValues(reader), folderId]);
  if (rows.length === 0) throw notFound('folder', { field: 'folderId' });
};

/** Finds items by their metadata: folder, time, tags, kind and source. */
export const queryItems = async (
  stores: Stores,
  { limit, ...filter }: ItemFilter & { readonly limit: number },
  reader: Reader,
): Promise<ItemQueryAnswer> => {
  await checkFolder(stores, filter, reader);
  if (seesNothing(reader)) return { items: [], total: 0, truncated: false, matched: {} };
  const { ids, truncated } = await find(stores, filter, reader);
  if (ids.length === 0) return { items: [], total: 0, truncated, matched: await matchedAlone(stores, filter, reader) };
  const rows = await readRows<ShownRow>(stores.pool, SHOW, [...readerValues(reader), ids.slice(0, limit)]);
  return { items: rows.map((row) => shownOf(stores.vault, row)), total: ids.length, truncated, matched: {} };
};
