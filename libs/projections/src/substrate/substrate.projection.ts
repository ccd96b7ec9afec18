import { OPLOG_STREAM, SERIES_KINDS, type Op } from '@cairn/contracts';
import type { StoredOp } from '@cairn/op-log';
import { FORGOTTEN, ofItem } from '../erasure/erasure.js';
import { openItems, type OpenedItem } from '../opened-item.js';
import { defineProjection, type Handler, type HandlerStores, type StatementSink, type Write } from '../projection.js';
import { SubstrateRows } from './substrate-rows.js';
import { substrateTables, substrateViews } from './substrate.schema.js';

/** Tables with rows of single chunks. */
const ROW_TABLES = ['observations', 'rollups', 'purged_ids'] as const;

const isSeries = (kind: string): boolean => SERIES_KINDS.some((known) => known === kind);

/** Ops whose text may be rows. A batch is one op; a correction does not state the kind of its item. */
const mayHoldRows = (op: Op): boolean =>
  op.type === 'chunk.corrected' || (op.type === 'item.stored' && isSeries(op.data.kind));

/** Writes one batch of ops. Rows are collected and written together; forgotten rows are deleted after that. */
class SubstrateBatch {
  private readonly rows = new SubstrateRows();
  private readonly forgottenItems: string[] = [];
  private readonly forgottenChunks: string[] = [];

  constructor(
    private readonly db: StatementSink,
    private readonly schema: string,
    private readonly opened: ReadonlyMap<number, OpenedItem>,
  ) {}

  apply(op: Op): void {
    if (op.type === 'item.stored') this.itemStored(op);
    else if (op.type === 'chunk.corrected') this.chunkCorrected(op);
    else if (op.type === 'chunk.forgotten') this.forgottenChunks.push(op.data.chunkId);
    else if (op.type === 'item.forgotten') this.forgottenItems.push(op.data.itemId);
  }

  /** No op adds rows to an item that an earlier op forgot, so all deletions may come last. */
  finish(): void {
    this.rows.flush(this.db, this.schema);
    if (this.forgottenChunks.length > 0) this.removeRows('chunk_id', this.forgottenChunks);
    if (this.forgottenItems.length === 0) return;
    this.removeRows('item_id', this.forgottenItems);
    this.remove('batches', 'item_id', this.forgottenItems);
  }

  private itemStored({ data, workspace, position }: Extract<Op, { type: 'item.stored' }>): void {
    const opened = this.opened.get(position);
    const { itemId: item, accountId: account, kind } = data;
    // Forgotten since: treated as if it had never been stored.
    if (!opened || account === undefined) return;
    this.rows.addBatch({ item, workspace, account, source: opened.meta.sourceName ?? '', kind, position });
    this.addRows(position);
  }

  /** Does nothing for a chunk that was forgotten since. */
  private chunkCorrected({ data, position }: Extract<Op, { type: 'chunk.corrected' }>): void {
    if (!this.opened.has(position)) return;
    this.rows.flush(this.db, this.schema);
    this.removeRows('chunk_id', [data.chunkId]);
    this.addRows(position);
  }

  private addRows(position: number): void {
    const { op, chunks } = this.opened.get(position)!;
    const { itemId } = op.data;
    for (const { chunkId, plaintext: text } of chunks) this.rows.addRows({ itemId, chunkId, text });
  }

  private removeRows(column: 'chunk_id' | 'item_id', ids: readonly string[]): void {
    for (const table of ROW_TABLES) this.remove(table, column, ids);
  }

  private remove(table: string, column: 'chunk_id' | 'item_id', ids: readonly string[]): void {
    void this.db.query(`delete from ${this.schema}.${table} where ${column} = any ($1::uuid[])`, [ids]);
  }
}

const handler = ({ vault }: HandlerStores): Handler<StoredOp> => ({
  prepare: async (entries): Promise<Write> => {
    const ops = entries.map(({ op }) => op);
    const opened = await openItems(vault, ops.filter(mayHoldRows));
    return (db, schema) => {
      const batch = new SubstrateBatch(db, schema, opened);
      for (const op of ops) batch.apply(op);
      batch.finish();
    };
  },
});

/**
 * Time series as tables. It is awaited, because an import is compared with the existing rows, and a query after an
 * import or a forgetting must see the change (docs/adr/0099). Ops of other kinds cost it nothing.
 */
export const substrate = defineProjection({
  name: 'substrate',
  version: 1,
  stream: OPLOG_STREAM,
  isAwaited: true,
  tables: substrateTables,
  indexes: substrateViews,
  handler,
  erases: {
    method: 'rows deleted, tables rewritten',
    rows: {
      observations: ofItem(),
      rollups: ofItem(),
      purged_ids: ofItem(),
      batches: `${FORGOTTEN.isWhole} and item_id = ${FORGOTTEN.itemId}`,
    },
  },
  purges: { batches: 'ids', observations: 'rewritten', rollups: 'rewritten', purged_ids: 'rewritten' },
  wrappedKeys: 'nothing',
});
