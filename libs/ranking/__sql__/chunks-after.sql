create or replace function retrieval.chunks_after(
  p_workspace uuid, p_model text, p_dims int, p_position bigint, p_seq bigint, p_limit int,
  out row_count int, out last bigint, out chunk_ids bytea, out folder_ids text, out vectors bytea
) returns record language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_bitmapscan = off
as $function$
#variable_conflict use_column
begin
  select count(*)::int, max(page.position),
      string_agg(uuid_send(page.chunk_id), '') filter (where page.is_held),
      string_agg(page.folder_id::text, ',') filter (where page.is_held),
      string_agg(vector_send(page.embedding), '') filter (where page.is_held)
    into row_count, last, chunk_ids, folder_ids, vectors
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
end
$function$;
