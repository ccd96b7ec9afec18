import { table } from '@cairn/persistence';
import { LEXICAL_FORM } from './lexical-text.js';

/** `k1`: how soon further occurrences of a word stop counting; `b`: how much a long text is penalised. */
export interface Bm25 {
  readonly k1: number;
  readonly b: number;
}

/** The same in both adapters, so that a text gets the same rank; the best of the values measured on public data sets. */
export const BM25_DEFAULT: Bm25 = { k1: 0.9, b: 0.4 };

/**
 * `lexical` read model in Postgres, for the standalone profile (pg_textsearch). The filter columns are in the same
 * table, because the BM25 scan applies a WHERE on its own table inside the scan and loses no match to the limit.
 */
export const lexicalTables = {
  documents: table({
    note: `words of form ${LEXICAL_FORM}`,
    columns: {
      chunk_id: 'uuid primary key',
      workspace_id: 'uuid not null',
      folder_id: 'uuid not null',
      item_id: 'uuid not null',
      superseded: 'boolean not null',
      expires_at: 'timestamptz',
      body: 'text not null',
      // True in a folder whose texts no tool may return: the BM25 index leaves such a document out.
      sensitive: 'boolean not null default false',
    },
    indexes: ['(item_id)', '(folder_id)'],
    withoutStatistics: ['body'],
  }),
  sensitive_folders: table({
    columns: {
      folder_id: 'uuid primary key',
    },
  }),
};

export const lexicalIndexes = (schema: string, { k1, b }: Bm25 = BM25_DEFAULT): string[] => [
  `create index if not exists documents_bm25 on ${schema}.documents using bm25 (body)
   with (text_config = 'english', k1 = ${k1}, b = ${b}) where (not sensitive)`,
];
