import { fail } from '@cairn/contracts';
import type { Pool } from 'pg';

export interface IndexedVectors {
  readonly workspaceId: string;
  readonly model: string;
  readonly dims: number;
}

/** Building an HNSW index that outgrows this becomes as slow as inserting row by row; 40,000 vectors fit. */
const INDEX_MEMORY = '128MB';

/** Vectors of another length are left out: they cannot be compared, and must not stop an insert. */
const CREATE = `
select format(
  'create index if not exists %I on vectors.embeddings using hnsw ((embedding::vector(%s)) vector_cosine_ops)
   with (m = 12, ef_construction = 64)
   where workspace_id = %L and model = %L and vector_dims(embedding) = %s',
  retrieval.vector_index_name($1, $2), $3::int, $1::uuid, $2::text, $3) as sql`;

/** Creates the HNSW index of one workspace and model, which takes minutes for a large one. Repeating it does nothing. */
export const createVectorIndex = async (pool: Pool, { workspaceId, model, dims }: IndexedVectors): Promise<void> => {
  const client = await pool.connect();
  try {
    const { rows } = await client.query<{ sql: string }>(CREATE, [workspaceId, model, dims]);
    await client.query(`begin; set local maintenance_work_mem = '${INDEX_MEMORY}'; ${rows[0]!.sql}; commit`);
  } catch (thrown) {
    await client.query('rollback').catch(() => undefined);
    throw fail('projection.unavailable', 'the index of a workspace could not be created', { workspaceId }, thrown);
  } finally {
    client.release();
  }
};
