import { OPLOG_STREAM, type Op } from '@cairn/contracts';
import { RulesExtractor } from '@cairn/extraction';
import type { StoredOp } from '@cairn/op-log';
import { openItems, type OpenedItem } from '../opened-item.js';
import { defineProjection, type Handler, type HandlerStores, type Write } from '../projection.js';
import { applyFindings } from './findings-changes.js';
import { FindingsWriter } from './findings-rows.js';
import { graphErasure } from './graph-erasure.js';
import { graphTables } from './graph.schema.js';
import { readFindings } from './read-findings.js';
import { writeTextLinks } from './text-links.js';

const forgetLinks = (writer: FindingsWriter, column: 'item_id' | 'chunk_id', id: string): void =>
  writer.change((schema) => `delete from ${schema}.text_links where ${column} = $1`, [id]);

/** A text op whose item was forgotten since is not opened: it leaves no rows. */
const applyLinks = (writer: FindingsWriter, op: Op, opened: OpenedItem | undefined): void => {
  if (opened) writeTextLinks(writer, opened);
  if (op.type === 'item.forgotten') forgetLinks(writer, 'item_id', op.data.itemId);
  if (op.type === 'chunk.forgotten') forgetLinks(writer, 'chunk_id', op.data.chunkId);
};

const handler = ({ vault, extractor = new RulesExtractor() }: HandlerStores): Handler<StoredOp> => ({
  prepare: async (entries): Promise<Write> => {
    const ops = entries.map(({ op }) => op);
    const opened = await openItems(vault, ops);
    const findings = await readFindings(vault, extractor, ops, opened);
    return (db, schema) => {
      const writer = new FindingsWriter(db, schema);
      for (const op of ops) {
        applyLinks(writer, op, opened.get(op.position));
        applyFindings(writer, op, opened.get(op.position), findings);
      }
      writer.flush();
    };
  },
});

export const graph = defineProjection({
  name: 'graph',
  version: 1,
  stream: OPLOG_STREAM,
  isAwaited: false,
  // The embedded database serves no other client while it applies a batch.
  liveBatchMax: 32,
  yieldsToCommands: true,
  tables: graphTables,
  indexes: () => [],
  handler,
  erases: graphErasure,
  purges: {
    text_links: 'ids',
    mentions: 'rewritten',
    edges: 'rewritten',
    entities: 'rewritten',
    merges: 'rewritten',
    reviews: 'ids',
  },
  wrappedKeys: 'nothing',
});
