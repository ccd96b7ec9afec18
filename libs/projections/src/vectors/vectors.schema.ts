import { VECTOR_DIMENSIONS } from '@cairn/contracts';
import { table } from '@cairn/persistence';

/** `vectors` read model. A row counts only while its hash equals the chunk's current one. */
export const vectorsTables = {
  embeddings: table({
    columns: {
      chunk_id: 'uuid not null',
      model: 'text not null',
      text_hash: 'bytea not null',
      workspace_id: 'uuid not null',
      embedding: `vector(${VECTOR_DIMENSIONS}) not null`,
      // The position of the op that the text came from. The vector of an earlier text would reveal that text, so it is
      // not kept.
      position: 'bigint not null default 0',
    },
    constraints: ['primary key (chunk_id, model, text_hash)'],
  }),
  // Texts that a model has refused permanently: the last one of each chunk. It counts while it is the chunk's current text
  // and has no vector.
  failures: table({
    columns: {
      chunk_id: 'uuid not null',
      model: 'text not null',
      text_hash: 'bytea not null',
      workspace_id: 'uuid not null',
      position: 'bigint not null',
    },
    constraints: ['primary key (chunk_id, model)'],
  }),
};

export const vectorsIndexes = (schema: string): string[] => [
  `create index if not exists embeddings_hnsw on ${schema}.embeddings using hnsw (embedding vector_cosine_ops)
   with (m = 12, ef_construction = 64)`,
];
