import { VECTOR_DIMENSIONS } from '@cairn/contracts';

/** `vectors` read model. A row counts only while its hash equals the chunk's current one. */
export const vectorsTables = (schema: string): string => `
create schema ${schema};
create table ${schema}.embeddings (
  chunk_id uuid not null,
  model text not null,
  text_hash bytea not null,
  workspace_id uuid not null,
  embedding vector(${VECTOR_DIMENSIONS}) not null,
  primary key (chunk_id, model, text_hash)
);
create index embeddings_hnsw on ${schema}.embeddings using hnsw (embedding vector_cosine_ops) with (m = 16, ef_construction = 64);
`;
