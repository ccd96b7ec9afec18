import { LEXICAL_FORM } from './lexical-text.js';

/** How soon a repeated word stops to count, and how much a long text is held against it. */
export interface Bm25 {
  readonly k1: number;
  readonly b: number;
}

/** The same in both adapters, so that the same text ranks alike; measured best of what was tried on public sets. */
export const BM25_DEFAULT: Bm25 = { k1: 0.9, b: 0.4 };

/**
 * `lexical` read model in Postgres, for the standalone profile (pg_textsearch). The filter columns stand in the same
 * table, because the BM25 scan applies a WHERE on its own table inside the scan and loses no match to the limit.
 */
export const lexicalTables = (schema: string): string => `
create schema ${schema};
create table ${schema}.documents (
  chunk_id uuid primary key,
  workspace_id uuid not null,
  folder_id uuid not null,
  item_id uuid not null,
  superseded boolean not null,
  expires_at timestamptz,
  -- Words of form ${LEXICAL_FORM}.
  body text not null,
  -- of a folder whose texts no tool may return: the BM25 index leaves such a document out
  sensitive boolean not null default false
);
create table ${schema}.sensitive_folders (folder_id uuid primary key);
create index on ${schema}.documents (item_id);
create index on ${schema}.documents (folder_id);
alter table ${schema}.documents alter column body set statistics 0;
`;

export const lexicalIndexes = (schema: string, { k1, b }: Bm25 = BM25_DEFAULT): string[] => [
  `create index if not exists documents_bm25 on ${schema}.documents using bm25 (body)
   with (text_config = 'english', k1 = ${k1}, b = ${b}) where (not sensitive)`,
];
