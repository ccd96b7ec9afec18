create or replace function retrieval.vector_proposed(
  p_workspace uuid, p_folders uuid[], p_superseded boolean, p_expired boolean, p_tags text[],
  p_model text, p_query vector, p_limit int, p_proposed uuid[], p_seq bigint, p_position bigint,
  out chunk_ids uuid[], out item_ids uuid[], out scores float8[], out behind int
) returns record language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set enable_sort = on
set enable_bitmapscan = off
as $function$
#variable_conflict use_column
declare
  v_new uuid[];
begin
  select array_agg(late.id) into v_new from (
    select e.chunk_id as id from vectors.embeddings e
      where e.workspace_id = p_workspace and e.model = p_model and e.seq > p_seq
    union
    select c.id from library.chunks c where c.workspace_id = p_workspace and c.position > p_position
  ) late;
  behind := coalesce(cardinality(v_new), 0);
  select array_agg(hit.id), array_agg(hit.item_id), array_agg(hit.score) into chunk_ids, item_ids, scores from (
    select c.id, c.item_id, 1 - (e.embedding <=> p_query) as score
      from (select distinct unnest(p_proposed || v_new)) as wanted (id)
      join library.chunks c on c.id = wanted.id
      join vectors.embeddings e on e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = p_model
      and vector_dims(e.embedding) = vector_dims(p_query)
      -- "is true" hides these from the index on workspace and folder: a chunk is reached by its id only.
      where (c.workspace_id = p_workspace and c.folder_id = any (p_folders)) is true
        and (p_superseded or not c.superseded)
      and (p_expired or (c.expires_at is null or c.expires_at > now()))
      and c.tags @> p_tags
      order by e.embedding <=> p_query, c.id
      limit p_limit
  ) hit;
end
$function$;
