import { graphFunction, inWorkspace, isMentioned, isVisible, joinChunk } from './graph-reader.sql.js';
import { AS_WRITTEN, define, NESTED_LOOPS, READER } from './sql-function.js';

/** Not `quote_literal`, which writes a backslash as E'…': to_tsquery does not read that. */
const BEGINNINGS = String.raw`select string_agg('''' || replace(replace(word, '\', '\\'), '''', '''''') || ''':*', ' & ')
          from unnest(p_words) as w(word)`;

/** Names that a text may mean and that the reader may see, the closest kind of match first. */
export const graphNames = graphFunction(
  'graph_names',
  'p_key text, p_words text[], p_limit int',
  `
  select found.key, found.match
    from (
      select e.key, case
               when e.key = p_key then 'exact'
               when to_tsvector('simple'::regconfig, e.key) @@ w.words then 'word'
               else 'prefix'
             end as match
        from (
          select plainto_tsquery('simple'::regconfig, array_to_string(p_words, ' ')) as words,
                 to_tsquery('simple'::regconfig, (
                   ${BEGINNINGS})) as beginnings
        ) w
        cross join lateral (
          select n.key from graph.entities n where n.workspace_id = p_workspace and n.key = p_key
          union
          select n.key from graph.entities n
            where to_tsvector('simple'::regconfig, n.key) @@ w.beginnings and ${inWorkspace('n')}
        ) e
    ) found
    where ${isMentioned('found.key')}
    order by found.match = 'exact' desc, found.match = 'word' desc, found.key
    limit p_limit`,
  'key text, match text',
);

/** Up to so many chunks, all names in them are read. A reader of more chunks may see many of the workspace's names. */
const FEW_CHUNKS = 5_000;

const isListed = (key: string): string => `(p_after is null or ${key} > p_after collate "C")
        and (p_words is null or to_tsvector('simple'::regconfig, ${key}) @@ to_tsquery('simple'::regconfig, (
          ${BEGINNINGS})))`;

/**
 * The names that the reader may see, in order; if words are given, those whose words begin with them. A reader of few
 * chunks gets them from these chunks: names that the reader may not see then cost nothing.
 */
export const graphKeys = define(
  'graph_keys',
  `${READER}, p_after text, p_words text[], p_limit int`,
  [NESTED_LOOPS, AS_WRITTEN],
  `
declare
  v_folders uuid[];
  v_chunks bigint;
begin
  select folder_ids, chunk_count into v_folders, v_chunks
    from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);
  if v_chunks <= ${FEW_CHUNKS} then
    return query
    select distinct m.entity_key
      from library.chunks c
      cross join lateral (
        select m.entity_key from graph.mentions m where m.chunk_id = c.id and m.text_hash = c.text_hash offset 0
      ) m
      where ${isVisible('c')}
        and ${isListed('m.entity_key')}
      order by m.entity_key
      limit p_limit;
  else
    return query
    select e.key
      from graph.entities e
      where e.workspace_id = p_workspace
        and ${isListed('e.key')}
        and ${isMentioned('e.key')}
      order by e.key
      limit p_limit;
  end if;
end`,
  'table (key text)',
);

/**
 * The names of a workspace of some lengths that match one of some patterns, in order. Visibility is not checked here: only
 * the few that are close to a given name are then looked up for the reader, with `graph_known_keys`.
 */
export const graphSpelledLike = graphFunction(
  'graph_spelled_like',
  'p_after text, p_chars_min int, p_chars_max int, p_patterns text[], p_limit int',
  `
  select e.key
    from graph.entities e
    where e.workspace_id = p_workspace
      and e.key > coalesce(p_after, '') collate "C"
      and length(e.key) between p_chars_min and p_chars_max
      and ' ' || e.key || ' ' like any (p_patterns)
    order by e.key
    limit p_limit`,
  'key text',
);

/** The folders in which names of each class occur, those of the newest mentions first. */
export const graphFolders = graphFunction(
  'graph_folders',
  'p_keys text[], p_classes int[], p_limit int',
  `
  select k.class, m.folder_id
    from unnest(p_keys, p_classes) as k(key, class)
    cross join lateral (
      select c.folder_id, m.position
        from graph.mentions m ${joinChunk('m')}
        where m.workspace_id = p_workspace and m.entity_key = k.key
        order by m.position desc
        limit p_limit
    ) m
    group by k.class, m.folder_id
    order by k.class, max(m.position) desc, m.folder_id`,
  'class int, folder_id uuid',
);

/** The name of an entity, if the reader may see it. */
export const graphKeyOf = graphFunction(
  'graph_key_of',
  'p_id uuid',
  `
  select e.key from graph.entities e
    where e.id = p_id and ${inWorkspace('e')} and ${isMentioned('e.key')}`,
  'key text',
);

/** Which of some names the reader may see. */
export const graphKnownKeys = graphFunction(
  'graph_known_keys',
  'p_keys text[]',
  `
  select e.key from graph.entities e
    where e.workspace_id = p_workspace and e.key = any (p_keys) and ${isMentioned('e.key')}`,
  'key text',
);

/** The places where names occur, newest first, one chunk per item. */
export const graphPlaces = graphFunction(
  'graph_places',
  'p_keys text[], p_limit int',
  `
  select place.chunk_id, place.item_id, place.folder_id, place.surface, place.position
    from (
      select distinct on (m.item_id) m.chunk_id, m.item_id, c.folder_id, m.surface, m.position
        from unnest(p_keys) as k(key)
        join graph.mentions m on m.workspace_id = p_workspace and m.entity_key = k.key
        ${joinChunk('m')}
        order by m.item_id, m.position desc, m.chunk_id, m.surface
    ) place
    order by place.position desc, place.item_id
    limit p_limit`,
  'chunk_id uuid, item_id uuid, folder_id uuid, surface text, "position" bigint',
);

/** The names that an item mentions, in the order of their first mention. */
export const graphItemKeys = graphFunction(
  'graph_item_keys',
  'p_item uuid, p_limit int',
  `
  select m.entity_key
    from graph.mentions m ${joinChunk('m')}
    where m.item_id = p_item and ${inWorkspace('m')}
    group by m.entity_key
    order by min(m.position), min(coalesce(m.start, 0)), m.entity_key
    limit p_limit`,
  'key text',
);
