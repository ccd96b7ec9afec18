import { fail, VECTOR_DIMENSIONS } from '@cairn/contracts';
import type { StoredVector } from '@cairn/op-log';
import { openVector, type Vault } from '@cairn/vault';
import { toSql } from 'pgvector';
import type { PostgresProjection, Write } from '../projection.js';
import { RowBuffer } from '../row-buffer.js';
import { vectorsTables } from './vectors.schema.js';

interface VectorRow {
  readonly chunk: string;
  readonly model: string;
  readonly hash: Buffer;
  readonly workspace: string;
  readonly embedding: string;
}

const rows = () =>
  new RowBuffer<VectorRow>(
    { chunk: 'uuid', model: 'text', hash: 'bytea', workspace: 'uuid', embedding: 'text' },
    (schema, x) => `insert into ${schema}.embeddings (chunk_id, model, text_hash, workspace_id, embedding)
      select chunk, model, hash, workspace, embedding::vector from ${x} on conflict do nothing`,
  );

const rowOf = async (vault: Vault, { message }: StoredVector): Promise<VectorRow> => {
  const { workspace, itemId, chunkId, model, dims, textHash } = message;
  if (dims !== VECTOR_DIMENSIONS) {
    throw fail('internal.defect', `a vector of ${model} has ${dims} dimensions, the table holds ${VECTOR_DIMENSIONS}`);
  }
  const keys = await vault.get(workspace, itemId);
  const vector = openVector(keys.chunks.get(chunkId)!, workspace, chunkId, Buffer.from(message.vector, 'base64'));
  return {
    chunk: chunkId,
    model,
    hash: Buffer.from(textHash, 'hex'),
    workspace,
    embedding: toSql([...vector]) as string,
  };
};

/** One message per chunk, text and model; outside the broker's duplicate window a second one changes nothing. */
export const vectorsProjection = (vault: Vault): PostgresProjection<StoredVector> => ({
  name: 'vectors',
  version: 1,
  tableNames: ['embeddings'],
  tables: vectorsTables,
  prepare: async (entries): Promise<Write> => {
    const prepared = await Promise.all(entries.map((entry) => rowOf(vault, entry)));
    return (db, schema) => {
      const buffer = rows();
      for (const row of prepared) buffer.add(row);
      buffer.flush(db, schema);
    };
  },
});
