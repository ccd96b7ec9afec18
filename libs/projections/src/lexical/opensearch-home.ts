import { fail, plural } from '@cairn/contracts';
import type { StoredOp } from '@cairn/op-log';
import type { Pool } from 'pg';
import type { Home, OutsidePostgres } from '../home.js';
import { CHECKPOINT_ONLY } from '../slots.js';
import type { Stores } from '../stores.js';
import { documentsLeft, removeDocuments } from './opensearch-erasure.js';
import { inspectKeywordIndex } from './opensearch-generation.js';
import { LEXICAL_FORM } from './lexical-text.js';
import { BM25_DEFAULT } from './lexical.schema.js';
import { CHUNKS_ALIAS, chunksIndex, chunksIndexBody } from './opensearch-index.js';
import { OpenSearchLexicalWriter } from './opensearch-lexical-writer.js';
import { purgeOpenSearch } from './opensearch-purge.js';
import { lexicalLibrary, OpenSearchTarget } from './opensearch-target.js';
import { removeSensitiveDocuments, type SensitiveDocumentsOptions } from './sensitive-documents.js';

const LIVE = 'lexical';
/** An existing index keeps its own settings of BM25, so they are not part of it. */
const INDEX_CODE = `${LEXICAL_FORM} ${JSON.stringify(chunksIndexBody(BM25_DEFAULT))}`;
const MAY_COUNT_SENSITIVE =
  'the keyword index may still count texts of sensitive folders: run `cairn oplog replay lexical`, then `cairn oplog promote lexical --yes`';

/** The chunks that the index should hold, and the two checkpoints, in one snapshot. */
const EXPECTED = `
select (select position from cairn.projections where name = 'lexical') as indexed,
  (select position from cairn.projections where name = 'library') as applied,
  (select count(*) from library.chunks c join library.folders f on f.id = c.folder_id where f.tier <> 'sensitive') as chunks`;

/** Undefined too while the index is behind the library, since the two cannot be compared then. */
const documentDifference = async (pool: Pool, writer: OpenSearchLexicalWriter): Promise<string | undefined> => {
  const expected = async () => (await pool.query<Record<'indexed' | 'applied' | 'chunks', string>>(EXPECTED)).rows[0]!;
  const before = await expected();
  const documents = await writer.count(CHUNKS_ALIAS);
  const after = await expected();
  const isStill = before.indexed === before.applied && before.applied === after.applied;
  if (!isStill || documents === Number(after.chunks)) return undefined;
  return `the keyword index has ${plural(documents, 'document')} for ${plural(Number(after.chunks), 'chunk')}: run \`cairn oplog replay lexical\`, then \`cairn oplog promote lexical --yes\``;
};

const mend = async (options: SensitiveDocumentsOptions, signal: AbortSignal): Promise<string | undefined> => {
  const documents = await removeSensitiveDocuments(options, signal).catch((thrown: unknown) => {
    throw fail('lexical.unavailable', MAY_COUNT_SENSITIVE, {}, thrown);
  });
  if (documents === 0) return undefined;
  return `removed ${plural(documents, 'document')} of sensitive folders from the keyword index`;
};

/** `lexical` in OpenSearch: one index per version, and an alias that names the live one. */
export const openSearchHome = ({ openSearch: client, pool, vault, bm25 }: Stores): Home<StoredOp> | undefined => {
  if (!client) return undefined;
  const writer = new OpenSearchLexicalWriter(client, { library: lexicalLibrary(pool, vault), bm25 });
  const outside: OutsidePostgres = {
    inspect: () => inspectKeywordIndex(client, pool),
    verify: async () => (await inspectKeywordIndex(client, pool)).problem ?? documentDifference(pool, writer),
    swapped: (next) => writer.swapAlias(CHUNKS_ALIAS, chunksIndex(next.version)),
    drop: ({ version }) => writer.dropIndex(chunksIndex(version)),
    left: (forgetting) => documentsLeft(client, forgetting),
    erase: (forgetting) => removeDocuments(client, forgetting),
    purge: (signal) => purgeOpenSearch(client, signal),
    mend: (signal) => mend({ client, pool, writer }, signal),
  };
  return {
    shape: { ...CHECKPOINT_ONLY, code: INDEX_CODE },
    target: (slot) =>
      new OpenSearchTarget({ client, pool, vault, writer, slot, alias: slot === LIVE ? CHUNKS_ALIAS : undefined }),
    // An index keeps no text to hash, so only the numbers of documents are compared.
    compare: async (live, next) => {
      const [ours, theirs] = [
        await writer.count(chunksIndex(live.version)),
        await writer.count(chunksIndex(next.version)),
      ];
      return [{ table: 'documents', live: String(ours), next: String(theirs), rows: ours }];
    },
    outside,
  };
};
