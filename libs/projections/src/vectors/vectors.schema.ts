import { table } from '@cairn/persistence';

/** `vectors` read model. A row counts only while its hash equals the chunk's current one. */
export const vectorsTables = {
  embeddings: table({
    columns: {
      chunk_id: 'uuid not null',
      model: 'text not null',
      text_hash: 'bytea not null',
      workspace_id: 'uuid not null',
      // Of any length: each model has its own.
      embedding: 'vector not null',
      // The position of the op that the text came from. The vector of an earlier text would reveal that text, so it is
      // not kept.
      position: 'bigint not null default 0',
      // The position of the vector's own message. It grows with every vector that is written, so a reader that holds vectors
      // in memory finds what is new.
      seq: 'bigint not null default 0',
    },
    constraints: ['primary key (chunk_id, model, text_hash)'],
    indexes: ['(workspace_id, model, seq)'],
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

/** An HNSW index is created only for a workspace whose vectors do not fit in memory. */
export const vectorsIndexes = (): string[] => [];
