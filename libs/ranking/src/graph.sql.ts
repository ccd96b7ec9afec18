import { isCurrent, isInFolders } from '@cairn/access';
import { MENTIONS_NAMING_MAX } from '@cairn/contracts';
import { AS_WRITTEN, define, NESTED_LOOPS, READER } from './sql-function.js';

/**
 * Statements over the findings in texts. Each of them joins the chunk of a row: the row counts only while the chunk's
 * text is unchanged, and the chunk is current and in a folder that the reader may see. Names, types, counts and
 * confidences are therefore those of the reader, and a row that lags behind its text shows nothing.
 */
const ALLOWED = { workspace: 'p_workspace', folders: 'v_folders' };

const VISIBLE = `${isInFolders('c', ALLOWED)} and ${isCurrent('c')}`;

/** The chunk of a row of mentions or edges, with its current text. */
const joinChunk = (row: string): string =>
  `join library.chunks c on c.id = ${row}.chunk_id and c.text_hash = ${row}.text_hash and (${VISIBLE}) is true`;

const IN_FOLDERS = `
declare
  v_folders uuid[];
begin
  select folder_ids into v_folders from retrieval.allowed_folders(p_workspace, p_folders, p_sensitive);`;

const graphFunction = (
  name: string,
  parameters: string,
  query: string,
  returns: string,
  settings: readonly string[] = [],
): string =>
  define(
    name,
    parameters === '' ? READER : `${READER}, ${parameters}`,
    [NESTED_LOOPS, AS_WRITTEN, ...settings],
    `${IN_FOLDERS}
  return query
  ${query.trim()};
end`,
    `table (${returns})`,
  );

const isMentioned = (key: string): string => `exists (
      select from graph.mentions m ${joinChunk('m')}
      where m.workspace_id = p_workspace and m.entity_key = ${key})`;

/** The anchor of a merge whose chunk the reader may see, even if its text has changed. */
const joinAnchor = (anchor: string, chunk: string): string =>
  `join library.chunks ${chunk} on ${chunk}.id = ${anchor}.chunk_id
      and (${isInFolders(chunk, ALLOWED)} and ${isCurrent(chunk)}) is true`;

const joinOtherSide = `join graph.merges b on b.merge_id = a.merge_id and b.side <> a.side ${joinAnchor('b', 'cb')}`;

/** Merges that join these names with others, at any distance. A merge counts if both sides have a visible anchor. */
export const graphMerges = graphFunction(
  'graph_merges',
  'p_keys text[]',
  `
  with recursive known(key) as (
    select k.key collate "C" from unnest(p_keys) as k(key)
    union
    select b.key
      from known
      join graph.merges a on a.workspace_id = p_workspace and a.key = known.key ${joinAnchor('a', 'ca')}
      ${joinOtherSide}
  )
  select distinct a.merge_id, a.key, b.key, a.position
    from known
    join graph.merges a on a.workspace_id = p_workspace and a.key = known.key and a.side = 'alias' ${joinAnchor('a', 'ca')}
    ${joinOtherSide}`,
  'merge_id uuid, alias_key text, canonical_key text, "position" bigint',
);

/** In a lateral subquery: the newest mentions of the name `k.key` that the reader may see. */
const newestMentions = (columns: string, limit: string): string => `
        select ${columns}
          from graph.mentions m ${joinChunk('m')}
          where m.workspace_id = p_workspace and m.entity_key = k.key
          order by m.position desc, m.chunk_id, m.surface
          limit ${limit}`;

/**
 * The reader's view of some entities, each of which is a class of names: the most frequent form and type of its newest
 * mentions, how many chunks mention it, and its newest mention. A form of the class's own name precedes those of its
 * aliases.
 */
export const graphEntities = graphFunction(
  'graph_entities',
  'p_keys text[], p_classes int[], p_named boolean[], p_limit int',
  `
  with seen as materialized (
    select k.class, k.named, m.*
      from unnest(p_keys, p_classes, p_named) as k(key, class, named)
      cross join lateral (${newestMentions(
        'm.surface, m.type, m.type_confidence, m.position, m.chunk_id, m.item_id, m.start, m.stop, c.folder_id',
        `${MENTIONS_NAMING_MAX}`,
      )}) m
  ), names as (
    select distinct on (class) class, surface
      from (
        select class, surface, bool_or(named) as named, count(*) as n, min(position) as first
          from seen group by class, surface
      ) form
      order by class, named desc, n desc, first, surface collate "C"
  ), types as (
    select distinct on (class) class, type
      from (
        select class, type, round(sum(type_confidence)::numeric, 6) as weight, min(position) as first
          from seen group by class, type
      ) kind
      order by class, weight desc, first, type
  ), counts as (
    select k.class, count(distinct m.chunk_id)::int as mentions
      from unnest(p_keys, p_classes) as k(key, class)
      cross join lateral (${newestMentions('m.chunk_id', 'p_limit')}) m
      group by k.class
  ), newest as (
    select distinct on (class) class, chunk_id, item_id, folder_id, start, stop, position
      from seen order by class, position desc, start is null, chunk_id, start
  )
  select names.class, names.surface, types.type, coalesce(counts.mentions, 0), newest.position, i.created_at,
         newest.chunk_id, newest.item_id, newest.folder_id, f.tier, newest.start, newest.stop
    from newest
    join library.items i on i.id = newest.item_id
    join library.folders f on f.id = newest.folder_id
    join names on names.class = newest.class
    join types on types.class = newest.class
    left join counts on counts.class = newest.class`,
  `class int, name text, type text, mentions int, "position" bigint, created_at timestamptz,
  chunk_id uuid, item_id uuid, folder_id uuid, tier text, start int, stop int`,
  // Hundreds of classes are put together, and each part is read once.
  ['set enable_hashjoin = on'],
);

/** Edge rows `e` with their verdicts applied; a rejected or negated edge cannot be walked. */
const JUDGED = `
        left join graph.reviews r on r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash
        where not e.negated and r.verdict is distinct from 'rejected'`;
const CONFIDENCE = `case when r.verdict = 'confirmed' then 1 else e.confidence end`;
const KIND = `case when r.verdict = 'confirmed' then 'extracted' else e.source_kind end`;

/** Rows that are read at one name and in one direction: fewer of each where there are many names. */
const ROWS_AT_A_NAME = 'greatest(1000, 10000 / greatest(1, cardinality(p_keys)))';

/** Chunks shown for an edge. */
const EVIDENCE_MAX = 3;

/** The most certain rows first, in the order of an index: reading ends with the last row that counts. */
const edgesAt = (side: 'subject' | 'object', condition: string): string => `
        select e.subject_key, e.predicate, e.object_key, e.id, e.chunk_id, e.item_id, e.position, c.folder_id,
               ${CONFIDENCE} as confidence, ${KIND} as kind, r.verdict
          from graph.edges e
          ${joinChunk('e')}
          ${JUDGED.trim()}
            and e.workspace_id = p_workspace and e.${side}_key = k.key${condition}
          order by e.confidence desc, e.position, e.chunk_id, e.ordinal
          limit ${ROWS_AT_A_NAME}`;

/**
 * One hop: the edges at some names, in both directions. An edge combines several chunks that state it; its confidence
 * is the highest of theirs. The edges are limited per entity and in total. The row without a subject reports how many
 * edges of the rows that were read the filters left out, and whether a cap left out more.
 */
export const graphHop = graphFunction(
  'graph_hop',
  'p_keys text[], p_classes int[], p_kinds text[], p_min_confidence float8, p_per_node int, p_limit int',
  `
  with rows as materialized (
    select k.class, k.key, 'subject' as side, e.*
      from unnest(p_keys, p_classes) as k(key, class)
      cross join lateral (${edgesAt('subject', '')}) e
    union all
    select k.class, k.key, 'object', e.*
      from unnest(p_keys, p_classes) as k(key, class)
      cross join lateral (${edgesAt('object', ' and e.subject_key <> all (p_keys)')}) e
  ), ranked as (
    -- Only the best evidence is shown, so only that is put into arrays.
    select r.*, row_number() over (
             partition by subject_key, predicate, object_key
             order by (kind = any (p_kinds)) desc, confidence desc, position, chunk_id, id) as nth
      from rows r
  ), edges as (
    select min(class) as class, subject_key, predicate, object_key, bool_or(kind = any (p_kinds)) as of_kind,
           max(confidence) filter (where kind = any (p_kinds)) as confidence,
           count(*) filter (where kind = any (p_kinds)) as n,
           array_agg(array[id::text, kind, coalesce(verdict, ''), chunk_id::text, item_id::text, position::text,
             folder_id::text] order by nth)
             filter (where kind = any (p_kinds) and nth <= ${EVIDENCE_MAX}) as evidence
      from ranked
      group by subject_key, predicate, object_key
  ), kept as (
    select e.*, row_number() over (
             partition by class order by confidence desc, subject_key, predicate, object_key) as rank
      from edges e where of_kind and confidence >= p_min_confidence
  ), shown as (
    select * from kept where rank <= p_per_node order by confidence desc, subject_key, predicate, object_key limit p_limit
  )
  select s.subject_key, s.predicate, s.object_key, s.confidence, s.n::int, s.evidence, null::int, null::int, null::boolean
    from shown s
  union all
  select null, null, null, null, null, null,
         (select count(*)::int from edges where of_kind and confidence < p_min_confidence),
         (select count(*)::int from edges where not of_kind),
         (select count(*) from kept) > (select count(*) from shown)
           or exists (select from rows group by key, side having count(*) >= ${ROWS_AT_A_NAME})`,
  `subject_key text, predicate text, object_key text, confidence float8, evidence_count int, evidence text[],
  dropped_confidence int, dropped_kind int, is_cut boolean`,
);

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
          -- "is true" leaves the index on words as the only way to these rows.
          select n.key from graph.entities n
            where to_tsvector('simple'::regconfig, n.key) @@ w.beginnings and (n.workspace_id = p_workspace) is true
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
      where ${VISIBLE}
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
    where e.id = p_id and e.workspace_id = p_workspace and ${isMentioned('e.key')}`,
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
    where m.item_id = p_item and m.workspace_id = p_workspace
    group by m.entity_key
    order by min(m.position), min(coalesce(m.start, 0)), m.entity_key
    limit p_limit`,
  'key text',
);

const EDGE_COLUMNS = `e.id, e.ref_hash, e.subject_key, e.predicate, e.object_key, e.confidence, e.source_kind, e.negated,
         r.verdict, e.chunk_id, e.item_id, c.folder_id, e.position`;
const EDGE_RETURNS = `id uuid, ref_hash bytea, subject_key text, predicate text, object_key text, confidence float8,
  source_kind text, negated boolean, verdict text, chunk_id uuid, item_id uuid, folder_id uuid, "position" bigint`;

/** Every visible row `e` that states the same as the row with this id. What denies it is not evidence of it. */
const SAME_EDGE = `(
      select distinct o.subject_key, o.predicate, o.object_key
        from graph.edges o
        join library.chunks co on co.id = o.chunk_id and co.text_hash = o.text_hash
          and (${isInFolders('co', ALLOWED)} and ${isCurrent('co')}) is true
        where o.id = p_id and o.workspace_id = p_workspace and not o.negated
    ) given
    join graph.edges e on e.workspace_id = p_workspace and e.subject_key = given.subject_key
      and e.predicate = given.predicate and e.object_key = given.object_key and not e.negated
    ${joinChunk('e')}`;

/** The rows of one edge: what was confirmed, then what no one has judged, then what was rejected, the best first. */
export const graphEdge = graphFunction(
  'graph_edge',
  'p_id uuid, p_limit int',
  `
  select ${EDGE_COLUMNS}
    from ${SAME_EDGE}
    left join graph.reviews r on r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash
    order by case r.verdict when 'confirmed' then 1 when 'rejected' then 3 else 2 end,
             e.confidence desc, e.position, e.chunk_id, e.id
    limit p_limit`,
  EDGE_RETURNS,
);

/** The chunks that state one edge, each once, in pages by their ids. */
export const graphEdgeChunks = graphFunction(
  'graph_edge_chunks',
  'p_id uuid, p_after uuid, p_limit int',
  `
  select distinct e.chunk_id, e.item_id, e.ref_hash
    from ${SAME_EDGE}
    where p_after is null or e.chunk_id > p_after
    order by e.chunk_id
    limit p_limit`,
  'chunk_id uuid, item_id uuid, ref_hash bytea',
);

/** Edges without a verdict, newest first. A denial cannot be walked, whatever the verdict. */
export const graphAmbiguous = graphFunction(
  'graph_ambiguous',
  'p_limit int',
  `
  select ${EDGE_COLUMNS}
    from graph.edges e
    ${joinChunk('e')}
    left join graph.reviews r on r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash
    where e.workspace_id = p_workspace and e.source_kind = 'ambiguous' and not e.negated
      and r.verdict is null
    order by e.position desc, e.id
    limit p_limit`,
  EDGE_RETURNS,
);

/** Edges of predicates that have one object at a time, if they are valid, newest first. */
export const graphFunctional = graphFunction(
  'graph_functional',
  'p_predicates text[], p_min_confidence float8, p_limit int',
  `
  select ${EDGE_COLUMNS}
    from graph.edges e
    ${joinChunk('e')}
    ${JUDGED.trim()}
      and e.workspace_id = p_workspace and e.predicate = any (p_predicates)
      and ${KIND} <> 'ambiguous' and ${CONFIDENCE} >= p_min_confidence
    order by e.position desc, e.id
    limit p_limit`,
  EDGE_RETURNS,
);

/** Verdicts on the statements and suggestions of these chunks. */
export const graphVerdicts = graphFunction(
  'graph_verdicts',
  'p_chunks uuid[]',
  `
  select r.chunk_id, r.ref_hash, r.verdict
    from unnest(p_chunks) as k(id)
    join graph.reviews r on r.chunk_id = k.id
    join library.chunks c on c.id = r.chunk_id and (${VISIBLE}) is true`,
  'chunk_id uuid, ref_hash bytea, verdict text',
);

/** Chunks with a verdict that mention some names. */
export const graphReviewedChunks = graphFunction(
  'graph_reviewed_chunks',
  'p_keys text[]',
  `
  select distinct m.entity_key, m.chunk_id, m.item_id
    from unnest(p_keys) as k(key)
    join graph.mentions m on m.workspace_id = p_workspace and m.entity_key = k.key
    cross join lateral (select from graph.reviews r where r.chunk_id = m.chunk_id limit 1) judged
    ${joinChunk('m')}`,
  'key text, chunk_id uuid, item_id uuid',
);

/** File name in `__sql__` to statement. */
export const GRAPH_SQL: Readonly<Record<string, string>> = {
  'graph-merges': graphMerges,
  'graph-entities': graphEntities,
  'graph-hop': graphHop,
  'graph-names': graphNames,
  'graph-keys': graphKeys,
  'graph-key-of': graphKeyOf,
  'graph-known-keys': graphKnownKeys,
  'graph-spelled-like': graphSpelledLike,
  'graph-folders': graphFolders,
  'graph-places': graphPlaces,
  'graph-item-keys': graphItemKeys,
  'graph-edge': graphEdge,
  'graph-edge-chunks': graphEdgeChunks,
  'graph-ambiguous': graphAmbiguous,
  'graph-functional': graphFunctional,
  'graph-verdicts': graphVerdicts,
  'graph-reviewed-chunks': graphReviewedChunks,
};
