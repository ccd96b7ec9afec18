create or replace function retrieval.vector_index_name(
  p_workspace uuid, p_model text
) returns text language sql immutable
as $function$
  select 'embeddings_hnsw_' || md5(p_workspace::text || p_model)
$function$;
