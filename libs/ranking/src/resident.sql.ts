/**
 * Reads of vectors for search's memory, in pages: everything after a message of the vectors, and everything that changed
 * after an op of the library. A page is one row of lists, with the place where the next one begins.
 */
import { define, NESTED_LOOPS } from './sql-function.js';

const PAGE = 'out row_count int, out last bigint, out chunk_ids bytea, out folder_ids text, out vectors bytea';

/**
 * Of the rows `page`, in the order in which they come: sorting them would double the time. Those without a folder are
 * passed over, because their chunk is not in the knowledge base now.
 */
const lists = (place: string): string => `
  select count(*)::int, max(page.${place}),
      string_agg(uuid_send(page.chunk_id), '') filter (where page.is_held),
      string_agg(page.folder_id::text, ',') filter (where page.is_held),
      string_agg(vector_send(page.embedding), '') filter (where page.is_held)
    into row_count, last, chunk_ids, folder_ids, vectors`;

export const vectorsAfter = define(
  'vectors_after',
  `p_workspace uuid, p_model text, p_dims int, p_seq bigint, p_limit int,
  ${PAGE}`,
  [NESTED_LOOPS, 'set enable_bitmapscan = off'],
  `
begin${lists('seq')}
    from (
      select e.seq, e.chunk_id, e.embedding, c.folder_id,
          c.id is not null and vector_dims(e.embedding) = p_dims as is_held
        from (
          select * from vectors.embeddings
            where workspace_id = p_workspace and model = p_model and seq > p_seq
            order by seq
            limit p_limit
        ) e
        left join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash
    ) page;
end`,
  'record',
);

/** Vectors that come after `p_seq` are not included: `vectors_after` returns them. */
export const chunksAfter = define(
  'chunks_after',
  `p_workspace uuid, p_model text, p_dims int, p_position bigint, p_seq bigint, p_limit int,
  ${PAGE}`,
  [NESTED_LOOPS, 'set enable_bitmapscan = off'],
  `
begin${lists('position')}
    from (
      select c.position, c.id as chunk_id, c.folder_id, e.embedding,
          e.chunk_id is not null and vector_dims(e.embedding) = p_dims as is_held
        from (
          select * from library.chunks
            where workspace_id = p_workspace and position > p_position
            order by position
            fetch first p_limit rows with ties
        ) c
        left join vectors.embeddings e
          on e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = p_model and e.seq <= p_seq
    ) page;
end`,
  'record',
);
