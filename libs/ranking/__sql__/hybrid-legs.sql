create or replace function retrieval.hybrid_legs(
  p_workspace uuid, p_folders uuid[], p_sensitive boolean,
  p_model text, p_query vector, p_words text, p_limit int,
  out vector_ids text, out vector_scores text, out bm25_ids text, out bm25_scores text
) returns record language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = off
set hnsw.iterative_scan = 'strict_order'
set hnsw.max_scan_tuples = 50000
set hnsw.scan_mem_multiplier = 8
set hnsw.ef_search = 100
set enable_bitmapscan = off
as $function$
#variable_conflict use_column
declare
  v_folders uuid[];
  v_scope bigint;
  v_total bigint;
  v_chunks uuid[];
  v_scores float8[];
begin
  select folder_ids, chunk_count into v_folders, v_scope
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_scope = 0 then
    return;
  end if;
  select sum(f.chunk_count) into v_total from library.folders f;
  if not retrieval.prefers_exact(v_scope, v_total, p_limit) then
    select array_agg(chunk_id), array_agg(score) into v_chunks, v_scores from (
    select c.id as chunk_id, c.item_id, 1 - (e.embedding <=> p_query) as score
    from vectors.embeddings e
    join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash
    where e.model = p_model
      and e.workspace_id = p_workspace
      -- "is true" hides these from the index on workspace and folder: a chunk is reached by its id only.
      and (c.workspace_id = p_workspace and c.folder_id = any (v_folders)) is true
      and not c.superseded
      and (c.expires_at is null or c.expires_at > now())
    order by e.embedding <=> p_query
    limit p_limit) hits;
  end if;
  -- As in vector_leg: a walk that was stopped must not cost a hit.
  if coalesce(cardinality(v_chunks), 0) < least(p_limit, v_scope) then
    select array_agg(chunk_id), array_agg(score) into v_chunks, v_scores
      from retrieval.vector_exact(
        p_workspace, v_folders, false, false, '{}', p_model, p_query, p_limit);
  end if;
  vector_ids := array_to_string(v_chunks, ',');
  vector_scores := array_to_string(v_scores, ',');
  -- Words that the index does not know leave nothing to search for.
  if p_words <> '' then
    select string_agg(chunk_id::text, ','), string_agg(score::text, ',') into bm25_ids, bm25_scores from (
    select d.chunk_id, d.item_id, -bm25_get_current_score() as score
    from lexical.documents d
    where d.workspace_id = p_workspace and d.folder_id = any (v_folders)
      -- Word for word as in the index, which holds no others.
      and not d.sensitive
      and not d.superseded
      and (d.expires_at is null or d.expires_at > now())
    order by d.body <@> to_bm25query(p_words, 'lexical.documents_bm25')
    limit p_limit) hits where score > 0;
  end if;
end
$function$;
