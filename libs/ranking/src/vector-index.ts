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

/** The models of a workspace, each found by one step in the index, and the length of their newest vector. */
const MODELS = `
with recursive models (model) as (
  (select e.model from vectors.embeddings e where e.workspace_id = $1 order by e.model limit 1)
  union all
  select (
    select e.model from vectors.embeddings e
      where e.workspace_id = $1 and e.model > models.model order by e.model limit 1
  ) from models where models.model is not null
)
select $1 as "workspaceId", models.model, newest.dims, retrieval.vector_index_name($1, models.model) as index
  from models
  cross join lateral (
    select vector_dims(e.embedding) as dims from vectors.embeddings e
      where e.workspace_id = $1 and e.model = models.model order by e.seq desc limit 1
  ) newest`;

const INDEXES = `
select indexname as index from pg_indexes where schemaname = 'vectors' and indexname like 'embeddings\\_hnsw\\_%'`;

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

export const dropVectorIndex = async (pool: Pool, index: string): Promise<void> => {
  await pool.query(`drop index if exists vectors.${index}`);
};

/** The names of the HNSW indexes that exist. */
export const indexedVectors = async (pool: Pool): Promise<string[]> =>
  (await pool.query<{ index: string }>(INDEXES)).rows.map(({ index }) => index);

/** The vectors of a workspace by model, with the name that their index has or would have. */
export const vectorsOf = async (
  pool: Pool,
  workspaceId: string,
): Promise<(IndexedVectors & { readonly index: string })[]> =>
  (await pool.query<IndexedVectors & { index: string }>(MODELS, [workspaceId])).rows;
