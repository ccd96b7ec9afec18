/** BM25 parameters, the same in both adapters so that the same text ranks alike (TOOLCHAIN: k1 0.9, b 0.4 measured best). */
export const BM25_K1 = 0.9;
export const BM25_B = 0.4;

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
  body text not null
);
create index on ${schema}.documents (item_id);
create index documents_bm25 on ${schema}.documents using bm25 (body) with (text_config = 'english', k1 = ${BM25_K1}, b = ${BM25_B});
alter table ${schema}.documents alter column body set statistics 0;
`;
