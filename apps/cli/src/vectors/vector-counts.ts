import { keptModels, type VectorModels } from '@cairn/contracts';
import type { Pool } from 'pg';

export interface VectorsStatus extends VectorModels {
  /** Chunks in the knowledge base. */
  readonly chunks: number;
  /** Of those, the ones whose present text has a vector, by id. */
  readonly vectors: Readonly<Record<string, number>>;
}

const COUNTS = `
select (select count(*)::int from library.chunks) as chunks,
       (select count(*)::int from library.chunks c
          join vectors.embeddings e on e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = $1) as vectors`;

export const countVectors = async (pool: Pool, models: VectorModels): Promise<VectorsStatus> => {
  const vectors: Record<string, number> = {};
  let chunks = 0;
  for (const { id } of keptModels(models)) {
    const { rows } = await pool.query<{ chunks: number; vectors: number }>(COUNTS, [id]);
    chunks = rows[0]!.chunks;
    vectors[id] = rows[0]!.vectors;
  }
  return { ...models, chunks, vectors };
};
