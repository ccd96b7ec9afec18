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
  -- of the op that the text came from: the vector of an earlier text tells what it was, and is not kept
  position bigint not null default 0,
  primary key (chunk_id, model, text_hash)
);
-- texts that a model refused for good: the last one of each chunk, which counts while the chunk reads so and has no vector
create table ${schema}.failures (
  chunk_id uuid not null,
  model text not null,
  text_hash bytea not null,
  workspace_id uuid not null,
  position bigint not null,
  primary key (chunk_id, model)
);
`;

export const vectorsIndexes = (schema: string): string[] => [
  `create index if not exists embeddings_hnsw on ${schema}.embeddings using hnsw (embedding vector_cosine_ops)
   with (m = 12, ef_construction = 64)`,
];
