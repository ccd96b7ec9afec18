create or replace function retrieval.item_entries(
  p_items uuid[], p_has_words boolean[], p_query text, p_workspace uuid, p_folders uuid[], p_sensitive boolean
) returns table (
  item_id uuid, folder_id uuid, workspace_id uuid, tier text, meta bytea, item_key bytea, confidence int,
  created_by_agent_id text,
  superseded_by_id uuid, expires_at timestamptz, chunk_id uuid, text bytea, chunk_key bytea, step int
) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set join_collapse_limit = 1
as $function$
#variable_conflict use_column
declare
  v_words text[] := retrieval.query_words(p_query);
  v_query tsquery := retrieval.all_of_words(v_words);
begin
  return query
  select i.id, i.folder_id, i.workspace_id, f.tier, i.meta, i.wrapped_key, i.confidence, i.created_by_agent_id, case when i.superseded_head_id is not null then (
    with recursive newer (id, next_id) as (
      select n.id, n.superseded_head_id from library.items n where n.id = i.superseded_head_id
      union
      select n.id, n.superseded_head_id from newer join library.items n on n.id = newer.next_id
    )
    select head.id
      from newer
      join library.items head on head.id = newer.id
      join library.folders head_folder on head_folder.id = head.folder_id
      where newer.next_id is null
        and head.workspace_id = p_workspace
      and (p_folders is null or head.folder_id = any (p_folders))
      and (p_sensitive or head_folder.tier <> 'sensitive')
      and head.in_kb
  ) end,
         i.expires_at, b.chunk_id, b.text, b.wrapped_key, b.ordinal - first.ordinal
    from unnest(p_items, p_has_words) as wanted (id, has_words)
    join library.items i on i.id = wanted.id
    join library.folders f on f.id = i.folder_id
    cross join lateral (
      select case when i.chunk_count = 1 then 0 else coalesce(case when wanted.has_words then (
        select min(m.ordinal)
          from library.chunks c
          join library.bodies m on m.chunk_id = c.id
          where c.item_id = i.id
            and c.words @@ v_query
            and exists (
              select from unnest(c.words) as w (lexeme, positions, weights)
                where w.lexeme = any (v_words)
                  and w.positions[cardinality(w.positions)] > coalesce((
                    select max(t.positions[cardinality(t.positions)])
                      from library.chunks h, unnest(to_tsvector('simple', h.title)) as t (lexeme, positions, weights)
                      where h.item_id = i.id and h.title is not null), 0))
      ) end, (select min(o.ordinal) from library.bodies o where o.item_id = i.id)) end as ordinal
        -- Computed once per item, not wherever it is used.
        offset 0
    ) first
    cross join lateral (
      select near.* from library.bodies near
        where near.item_id = i.id and near.ordinal between first.ordinal - 2 and first.ordinal + 2
      union all
      (select head.* from library.bodies head
        where i.kind in ('clip', 'ai-conversation') and head.item_id = i.id and head.ordinal < first.ordinal - 2
        order by head.ordinal
        limit 1)
    ) b
    -- "is true" hides the conditions from the indexes: these items are found by their id, not by their workspace.
    where (i.workspace_id = p_workspace
      and (p_folders is null or i.folder_id = any (p_folders))
      and (p_sensitive or f.tier <> 'sensitive')
      and i.in_kb) is true
    order by b.ordinal;
end
$function$;
