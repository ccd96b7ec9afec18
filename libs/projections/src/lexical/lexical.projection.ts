import { OPLOG_STREAM } from '@cairn/contracts';
import type { StoredOp } from '@cairn/op-log';
import { ofItem } from '../erasure/erasure.js';
import { defineProjection, type Handler, type HandlerStores, type Write } from '../projection.js';
import { lexicalChanges } from './lexical-changes.js';
import { lexicalIndexes, lexicalTables } from './lexical.schema.js';
import { openSearchHome } from './opensearch-home.js';
import { writePostgresLexical } from './postgres-lexical-writer.js';

const handler = ({ vault }: HandlerStores): Handler<StoredOp> => ({
  prepare: async (entries): Promise<Write> => {
    const changes = await lexicalChanges(
      vault,
      entries.map(({ op }) => op),
    );
    return (db, schema) => writePostgresLexical(db, schema, changes);
  },
});

/** In Postgres it commits together with `library`, so that the very next call finds a text by its words. */
export const lexical = defineProjection({
  name: 'lexical',
  version: 1,
  stream: OPLOG_STREAM,
  isAwaited: true,
  tables: lexicalTables,
  indexes: (schema, { bm25 }) => lexicalIndexes(schema, bm25),
  handler,
  erases: { method: 'documents deleted, index rewritten', rows: { documents: ofItem() } },
  purges: { documents: 'rewritten', sensitive_folders: 'ids' },
  wrappedKeys: 'nothing',
  otherHome: openSearchHome,
});
