import type { Op } from '@cairn/contracts';
import type { StoredOp } from '@cairn/op-log';
import type { Vault } from '@cairn/vault';
import { isItemOp, openItems, searchableText, type OpenedItem } from '../opened-item.js';
import type { PostgresProjection, Write } from '../projection.js';
import type { LexicalChange } from './lexical-change.js';
import { lexicalTables } from './lexical.schema.js';
import { writePostgresLexical } from './postgres-lexical.writer.js';

const putsOf = ({ op, meta, chunks }: OpenedItem): LexicalChange[] =>
  chunks.map((chunk) => ({
    kind: 'put',
    position: op.position,
    document: {
      chunkId: chunk.chunkId,
      workspaceId: op.workspace,
      folderId: op.data.folderId,
      itemId: op.data.itemId,
      superseded: false,
      expiresAt: op.data.expiresAt,
      body: searchableText(meta, chunk.plaintext),
    },
  }));

const changesOf = (op: Op, opened: ReadonlyMap<number, OpenedItem>): LexicalChange[] => {
  if (isItemOp(op)) return op.data.inKb ? putsOf(opened.get(op.position)!) : [];
  if (op.type === 'item.superseded') return [{ kind: 'supersede', position: op.position, itemIds: [op.data.itemId] }];
  return [];
};

/** What a batch of ops means to a lexical index, the same for both adapters. */
export const lexicalChanges = async (vault: Vault, ops: readonly Op[]): Promise<LexicalChange[]> => {
  const indexed = ops.filter((op) => !isItemOp(op) || op.data.inKb);
  const opened = await openItems(vault, indexed);
  return indexed.flatMap((op) => changesOf(op, opened));
};

/** BM25 inside Postgres: commits together with `library`, so that a text is found by its words in the very next call. */
export const postgresLexicalProjection = (vault: Vault): PostgresProjection<StoredOp> => ({
  name: 'lexical',
  version: 1,
  tableNames: ['documents'],
  tables: lexicalTables,
  prepare: async (entries): Promise<Write> => {
    const changes = await lexicalChanges(
      vault,
      entries.map(({ op }) => op),
    );
    return (db, schema) => writePostgresLexical(db, schema, changes);
  },
});
