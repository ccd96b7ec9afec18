import { notFound, readerOf, readerValues, seesNothing } from '@cairn/access';
import {
  meshUriOf,
  type ItemDetail,
  type ItemSummary,
  type Page,
  type Principal,
  type QueryData,
} from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { readRows } from '@cairn/persistence';
import { firstTextOf, type KeyOpener } from '@cairn/retrieval';
import { openText } from '@cairn/vault';
import type { Pool } from 'pg';
import { pageOf, POSITION_KEY, readCursor } from '../cursor.js';
import type { ModelInUse } from './model-in-use.js';
import {
  GET_BODIES,
  GET_ITEM,
  GET_ITEM_OF_CHUNK,
  LIST_ITEMS,
  sealedDetail,
  summaryOf,
  type BodyRow,
  type ItemRow,
  type ListedRow,
} from './item-rows.js';

/** Items as their readers see them, decrypted when they are read. */
export class ItemReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: KeyOpener,
    private readonly modelInUse: Pick<ModelInUse, 'id'>,
  ) {}

  async get(principal: Principal, { itemId, surface }: QueryData<'item.get'>): Promise<ItemDetail> {
    const reader = readerValues(readerOf(principal, surface));
    const [rows, bodies] = await Promise.all([
      readRows<ItemRow>(this.pool, GET_ITEM, [...reader, await this.modelInUse.id(), itemId]),
      readRows<BodyRow>(this.pool, GET_BODIES, [...reader, itemId]),
    ]);
    const row = rows[0];
    if (!row) throw await this.missing(reader, itemId);
    const parts = bodies.map((body) => this.chunkOf(row.workspaceId, body));
    // Only search uses chunks, so an item outside the knowledge base has none.
    const chunks = row.inKb ? parts : [];
    const summary = summaryOf(this.vault, row, () => parts[0]?.text);
    const { retention } = row;
    const content = parts.map(({ text }) => text).join('');
    const meshUri = meshUriOf({ ...row, itemId: row.id });
    return { ...summary, content, ...sealedDetail(this.vault, row), chunks, retention, meshUri };
  }

  async list(principal: Principal, query: QueryData<'items.list'>): Promise<Page<ItemSummary>> {
    const before = readCursor(query.cursor, POSITION_KEY);
    const filters = [query.folderId ?? null, query.inKb ?? null, query.kind ?? null];
    const reader = readerOf(principal, query.surface);
    if (seesNothing(reader)) return { items: [], nextCursor: null };
    const values = [...readerValues(reader), await this.modelInUse.id(), ...filters, before, query.limit + 1];
    const rows = await readRows<ListedRow>(this.pool, LIST_ITEMS, values);
    return pageOf(
      rows,
      query.limit,
      (row) => row.position,
      (row) => summaryOf(this.vault, row, () => firstTextOf(this.vault, row.workspaceId, row)),
    );
  }

  /** A chunk's id is easily mistaken for that of its item, so the error then names the item. */
  private async missing(reader: readonly unknown[], id: string): Promise<AppError> {
    const [owner] = await readRows<{ id: string }>(this.pool, GET_ITEM_OF_CHUNK, [...reader, id]);
    return notFound('item', { field: 'id', ...(owner && { chunkOf: owner.id }) });
  }

  private chunkOf(workspaceId: string, { id, ordinal, text, wrappedKey }: BodyRow) {
    const key = this.vault.unwrap(workspaceId, id, wrappedKey);
    return { id, ordinal, text: openText(key, workspaceId, id, text) };
  }
}
