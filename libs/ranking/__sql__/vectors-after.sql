create or replace function retrieval.vectors_after(
  p_workspace uuid, p_model text, p_dims int, p_seq bigint, p_limit int,
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
  select count(*)::int, max(page.seq),
      string_agg(uuid_send(page.chunk_id), '') filter (where page.is_held),
      string_agg(page.folder_id::text, ',') filter (where page.is_held),
      string_agg(vector_send(page.embedding), '') filter (where page.is_held)
    into row_count, last, chunk_ids, folder_ids, vectors
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
end
$function$;
