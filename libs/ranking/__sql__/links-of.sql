create or replace function retrieval.links_of(
  p_frontier uuid[], p_types text[], p_min_confidence real, p_ordered boolean, p_limit int, p_workspace uuid, p_folders uuid[], p_sensitive boolean
) returns table (from_id uuid, to_id uuid, type text, confidence real, rank int) language plpgsql stable
set search_path = pg_catalog, public
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
set enable_hashjoin = off
set enable_mergejoin = off
set join_collapse_limit = 1
as $function$
#variable_conflict use_column
declare
  v_folders uuid[] := (retrieval.allowed_folders(p_workspace, p_folders, p_sensitive)).folder_ids;
begin
  if p_ordered then
    return query select * from (
  select l.from_id, l.to_id, l.type, l.confidence, 0
    from unnest(p_frontier) as near (id)
    join library.memory_links l on l.from_id = near.id and not l.to_gone and l.type = any (p_types) and l.confidence >= p_min_confidence
    
    join library.items i on i.id = l.to_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select l.from_id, l.to_id, l.type, l.confidence, 0
    from unnest(p_frontier) as near (id)
    join library.memory_links l on l.to_id = near.id and not l.to_gone and l.type = any (p_types) and l.confidence >= p_min_confidence
    
    join library.items i on i.id = l.from_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select t.item_id, t.to_id, 'references', 1::real, 1
    from unnest(p_frontier) as near (id)
    join graph.text_links t on t.item_id = near.id and 'references' = any (p_types)
    join library.bodies b on b.chunk_id = t.chunk_id and b.text_hash = t.text_hash
    
    join library.items i on i.id = t.to_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select t.item_id, t.to_id, 'references', 1::real, 1
    from unnest(p_frontier) as near (id)
    join graph.text_links t on t.to_id = near.id and 'references' = any (p_types)
    join library.bodies b on b.chunk_id = t.chunk_id and b.text_hash = t.text_hash
    
    join library.items i on i.id = t.item_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select n.superseded_by_id, n.id, 'supersedes', 1::real, 0
    from unnest(p_frontier) as near (id)
    join library.items n on n.id = near.id and n.superseded_by_id is not null and 'supersedes' = any (p_types)
    
    join library.items i on i.id = n.superseded_by_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select near.id, i.id, 'supersedes', 1::real, 0
    from unnest(p_frontier) as near (id)
    join library.items i on i.superseded_by_id = near.id and 'supersedes' = any (p_types)
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
    ) found order by 4 desc, 1, 2, 3, 5 limit p_limit;
  else
    return query select * from (
  select l.from_id, l.to_id, l.type, l.confidence, 0
    from unnest(p_frontier) as near (id)
    join library.memory_links l on l.from_id = near.id and not l.to_gone and l.type = any (p_types) and l.confidence >= p_min_confidence
    
    join library.items i on i.id = l.to_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select l.from_id, l.to_id, l.type, l.confidence, 0
    from unnest(p_frontier) as near (id)
    join library.memory_links l on l.to_id = near.id and not l.to_gone and l.type = any (p_types) and l.confidence >= p_min_confidence
    
    join library.items i on i.id = l.from_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select t.item_id, t.to_id, 'references', 1::real, 1
    from unnest(p_frontier) as near (id)
    join graph.text_links t on t.item_id = near.id and 'references' = any (p_types)
    join library.bodies b on b.chunk_id = t.chunk_id and b.text_hash = t.text_hash
    
    join library.items i on i.id = t.to_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select t.item_id, t.to_id, 'references', 1::real, 1
    from unnest(p_frontier) as near (id)
    join graph.text_links t on t.to_id = near.id and 'references' = any (p_types)
    join library.bodies b on b.chunk_id = t.chunk_id and b.text_hash = t.text_hash
    
    join library.items i on i.id = t.item_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select n.superseded_by_id, n.id, 'supersedes', 1::real, 0
    from unnest(p_frontier) as near (id)
    join library.items n on n.id = near.id and n.superseded_by_id is not null and 'supersedes' = any (p_types)
    
    join library.items i on i.id = n.superseded_by_id
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
  union all
  select near.id, i.id, 'supersedes', 1::real, 0
    from unnest(p_frontier) as near (id)
    join library.items i on i.superseded_by_id = near.id and 'supersedes' = any (p_types)
      and (i.workspace_id = p_workspace and i.folder_id = any (v_folders)
      and i.in_kb
      and ('supersedes' = any (p_types) or i.superseded_by_id is null)
      and (false or (i.expires_at is null or i.expires_at > now()))) is true
    ) found limit p_limit;
  end if;
end
$function$;
