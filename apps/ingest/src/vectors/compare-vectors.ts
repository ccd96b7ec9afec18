import type { VectorParity } from '@cairn/contracts';
import type { Pool } from 'pg';

const SAMPLES = 20;
/** Texts of a workspace among which neighbours are sought: comparing with all of a large one would block other clients. */
const NEIGHBOURHOOD_MAX = 1_000;
const NEAREST = 10;

const COUNTS = `
select (select count(*)::int from library.chunks) as chunks,
       (select count(*)::int from vectors.embeddings where model = $1) as "liveVectors",
       (select count(*)::int from vectors.embeddings where model = $2) as "nextVectors"`;

/** Every n-th chunk. */
const SAMPLE = `
select id, workspace_id as "workspaceId"
  from (select c.id, c.workspace_id, row_number() over (order by c.id) as n from library.chunks c) numbered
  where n % greatest(1, $1::int / ${SAMPLES}) = 0
  limit ${SAMPLES}`;

/** The nearest texts of one text, by each of two ids of vectors, among evenly chosen texts of its workspace. */
const NEIGHBOURS = `
with numbered as (
  select c.id, c.text_hash, row_number() over (order by c.id) as n, count(*) over () as total
    from library.chunks c where c.workspace_id = $2
), hood as materialized (
  select id, text_hash from numbered where id <> $1 and n % greatest(1, total / ${NEIGHBOURHOOD_MAX}) = 0
)
select array(
    select e.chunk_id::text from hood h
      join vectors.embeddings e on e.chunk_id = h.id and e.text_hash = h.text_hash and e.model = m.model
      order by e.embedding <=> own.embedding
      limit ${NEAREST}) as nearest
  from unnest($3::text[]) with ordinality as m(model, n)
  join vectors.embeddings own on own.chunk_id = $1 and own.model = m.model
  order by m.n`;

/** The share of one list that is in the other; undefined if one of them is missing. */
const overlap = ([one, other]: readonly { readonly nearest: readonly string[] }[]): number | undefined => {
  if (!one || !other || one.nearest.length === 0) return undefined;
  return one.nearest.filter((id) => other.nearest.includes(id)).length / one.nearest.length;
};

/**
 * How much the next vectors agree with the live ones: for sampled texts, the overlap of the nearest texts. A better
 * model differs from a worse one, so the report decides nothing.
 */
export const compareVectors = async (pool: Pool, live: string, next: string): Promise<VectorParity> => {
  const { rows: counted } = await pool.query<Omit<VectorParity, 'sampled' | 'overlapAt10'>>(COUNTS, [live, next]);
  const counts = counted[0]!;
  const { rows: samples } = await pool.query<{ id: string; workspaceId: string }>(SAMPLE, [counts.chunks]);
  const overlaps: number[] = [];
  for (const { id, workspaceId } of samples) {
    const { rows } = await pool.query<{ nearest: string[] }>(NEIGHBOURS, [id, workspaceId, [live, next]]);
    const found = overlap(rows);
    if (found !== undefined) overlaps.push(found);
  }
  const mean = overlaps.reduce((sum, share) => sum + share, 0) / overlaps.length;
  return {
    sampled: overlaps.length,
    overlapAt10: overlaps.length === 0 ? null : Math.round(1_000 * mean) / 1_000,
    ...counts,
  };
};
