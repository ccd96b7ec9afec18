create or replace function retrieval.winning_chunks(
  p_chunks uuid[], p_workspace uuid, p_folders uuid[], p_sensitive boolean
) returns table (
  chunk_id uuid, item_id uuid, folder_id uuid, workspace_id uuid, tier text, text bytea,
  chunk_key bytea, title text, meta bytea, item_key bytea, first_id uuid, first_text bytea, first_key bytea
) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
as $function$
#variable_conflict use_column
begin
  return query
  select c.id, i.id, i.folder_id, i.workspace_id, f.tier, b.text, b.wrapped_key, c.title,
         case when c.title is null then i.meta end, case when c.title is null then i.wrapped_key end,
         first.first_id, first.first_text, first.first_key
    from unnest(p_chunks) as wanted (id)
    join library.chunks c on c.id = wanted.id
    join library.bodies b on b.chunk_id = c.id
    join library.items i on i.id = c.item_id
    join library.folders f on f.id = i.folder_id
    left join lateral (
      select o.chunk_id as first_id, o.text as first_text, o.wrapped_key as first_key
        from library.bodies o
        where i.kind in ('clip', 'ai-conversation')
          and o.item_id = i.id
          and o.ordinal < b.ordinal
        order by o.ordinal
        limit 1
    ) first on true
    where i.workspace_id = p_workspace
      and (p_folders is null or i.folder_id = any (p_folders))
      and (p_sensitive or f.tier <> 'sensitive')
      and i.in_kb
      and not c.superseded
      and (c.expires_at is null or c.expires_at > now());
end
$function$;
