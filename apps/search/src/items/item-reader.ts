import { fail, type ItemDetail, type ItemSummary, type Page, type Principal, type QueryData } from '@cairn/contracts';
import { isClosed, readRows, searchScope, type KeyOpener, type Surface } from '@cairn/retrieval';
import { openText } from '@cairn/vault';
import type { Pool } from 'pg';
import { pageOf, POSITION_KEY, readCursor } from '../cursor.js';
import type { ModelInUse } from './model-in-use.js';
import { GET_BODIES, GET_ITEM, LIST_ITEMS, summaryOf, type BodyRow, type ItemRow } from './item-rows.js';

/** Items as their readers see them, opened on the way out. */
export class ItemReader {
  constructor(
    private readonly pool: Pool,
    private readonly vault: KeyOpener,
    private readonly modelInUse: Pick<ModelInUse, 'id'>,
  ) {}

  async get(principal: Principal, { itemId, surface }: QueryData<'item.get'>): Promise<ItemDetail> {
    const visible = await this.visibleTo(principal, surface);
    const [rows, bodies] = await Promise.all([
      readRows<ItemRow>(this.pool, GET_ITEM, [...visible, itemId]),
      readRows<BodyRow>(this.pool, GET_BODIES, [itemId]),
    ]);
    const row = rows[0];
    if (!row) throw fail('item.not_found', 'there is no such item', { field: 'id' });
    const chunks = bodies.map((body) => this.chunkOf(row.workspace_id, body));
    return { ...summaryOf(this.vault, row), content: chunks.map(({ text }) => text).join(''), chunks };
  }

  async list(principal: Principal, query: QueryData<'items.list'>): Promise<Page<ItemSummary>> {
    const before = readCursor(query.cursor, POSITION_KEY);
    const filters = [query.folderId ?? null, query.inKb ?? null, query.kind ?? null];
    if (isClosed(searchScope(principal, query.surface))) return { items: [], nextCursor: null };
    const values = [...(await this.visibleTo(principal, query.surface)), ...filters, before, query.limit + 1];
    const rows = await readRows<ItemRow>(this.pool, LIST_ITEMS, values);
    return pageOf(
      rows,
      query.limit,
      (row) => row.position,
      (row) => summaryOf(this.vault, row),
    );
  }

  /** The first parameters of either statement. */
  private async visibleTo(principal: Principal, surface: Surface): Promise<unknown[]> {
    const { workspaceId, folderIds, seesSensitive } = searchScope(principal, surface);
    return [workspaceId, folderIds, seesSensitive, principal.kbOnly, await this.modelInUse.id()];
  }

  private chunkOf(workspaceId: string, { chunk_id: id, ordinal, text, wrapped_key: wrapped }: BodyRow) {
    const key = this.vault.unwrap(workspaceId, id, wrapped);
    return { id, ordinal, text: openText(key, workspaceId, id, text) };
  }
}
