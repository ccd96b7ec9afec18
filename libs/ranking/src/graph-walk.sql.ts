import { EVIDENCE_SHOWN_MAX, MENTIONS_NAMING_MAX } from '@cairn/contracts';
import { graphFunction, inWorkspace, isVisible, joinChunk } from './graph-reader.sql.js';

/** The anchor of a merge whose chunk the reader may see, even if its text has changed. */
const joinAnchor = (anchor: string, chunk: string): string =>
  `join library.chunks ${chunk} on ${chunk}.id = ${anchor}.chunk_id and (${isVisible(chunk)}) is true`;

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
          order by m.position desc, m.chunk_id, m.ordinal
          limit ${limit}`;

/** The newest mentions of some names: enough to name each entity as the reader knows it. */
export const graphNewestMentions = graphFunction(
  'graph_newest_mentions',
  'p_keys text[]',
  `
  select k.key, m.surface, m.type, m.type_confidence, m.position, m.chunk_id, m.item_id, m.start, m.folder_id,
         (select f.tier from library.folders f where f.id = m.folder_id)
    from unnest(p_keys) as k(key)
    cross join lateral (${newestMentions(
      'm.surface, m.type, m.type_confidence, m.position, m.chunk_id, m.item_id, m.start, c.folder_id',
      `${MENTIONS_NAMING_MAX}`,
    )}) m`,
  `key text, surface text, type text, type_confidence float8, "position" bigint, chunk_id uuid, item_id uuid, start int,
  folder_id uuid, tier text`,
);

/** How many chunks mention each entity, a class of names, and when the item with its newest mention was created. */
export const graphMentionCounts = graphFunction(
  'graph_mention_counts',
  'p_keys text[], p_classes int[], p_newest uuid[], p_limit int',
  `
  select k.class, count(distinct m.chunk_id)::int,
         (select i.created_at from library.items i where i.id = p_newest[k.class + 1])
    from unnest(p_keys, p_classes) as k(key, class)
    cross join lateral (${newestMentions('m.chunk_id', 'p_limit')}) m
    group by k.class`,
  'class int, mentions int, created_at timestamptz',
);

/** Edge rows `e` with their verdicts applied; a rejected or negated edge cannot be walked. */
export const JUDGED = `
        left join graph.reviews r on r.chunk_id = e.chunk_id and r.ref_hash = e.ref_hash
        where not e.negated and r.verdict is distinct from 'rejected'`;
export const CONFIDENCE = `case when r.verdict = 'confirmed' then 1 else e.confidence end`;
export const KIND = `case when r.verdict = 'confirmed' then 'extracted' else e.source_kind end`;

/**
 * Rows that are read at one name and in one direction: the more names, the fewer at each. This bounds the time of a hop.
 * Edges and evidence outside these rows are missing.
 */
const ROWS_AT_A_NAME = 'greatest(50, 2000 / greatest(1, cardinality(p_keys)))';

/** The most certain rows first, in the order of an index: reading ends with the last row that counts. */
const edgesAt = (side: 'subject' | 'object', condition: string): string => `
        select e.subject_key, e.predicate, e.object_key, e.id, e.chunk_id, e.position,
               ${CONFIDENCE} as confidence, ${KIND} as kind
          from graph.edges e
          ${joinChunk('e')}
          ${JUDGED.trim()}
            and e.workspace_id = p_workspace and e.${side}_key = k.key${condition}
          order by e.confidence desc, e.position, e.chunk_id, e.ordinal
          limit ${ROWS_AT_A_NAME}`;

const BY_CERTAINTY = 'confidence desc, n desc, subject_key, predicate, object_key';

/**
 * One hop: the edges at some names, in both directions. An edge combines several chunks that state it; its confidence
 * is the highest of theirs. The edges are limited per entity and in total; at each entity, the most certain and most often
 * stated come first. The row without a subject reports how many of the edges that were read were left out by the filters,
 * and whether a cap left out more.
 */
export const graphEdgesAt = graphFunction(
  'graph_edges_at',
  'p_keys text[], p_classes int[], p_kinds text[], p_min_confidence float8, p_per_node int, p_limit int',
  `
  with rows as materialized (
    select k.class, k.key, 'subject' as side, e.*, e.kind = any (p_kinds) as fits
      from unnest(p_keys, p_classes) as k(key, class)
      cross join lateral (${edgesAt('subject', '')}) e
    union all
    select k.class, k.key, 'object', e.*, e.kind = any (p_kinds)
      from unnest(p_keys, p_classes) as k(key, class)
      cross join lateral (${edgesAt('object', ' and e.subject_key <> all (p_keys)')}) e
  ), edges as (
    select min(class) as class, subject_key, predicate, object_key, bool_or(fits) as of_kind,
           max(confidence) filter (where fits) as confidence,
           -- A chunk that states an edge twice has two rows with one id.
           count(distinct id) filter (where fits) as n,
           array_agg(id order by confidence desc, position, chunk_id, id) filter (where fits) as ids
      from rows
      group by subject_key, predicate, object_key
  ), kept as (
    select e.*, row_number() over (partition by class order by ${BY_CERTAINTY}) as rank
      from edges e where of_kind and confidence >= p_min_confidence
  ), shown as (
    -- The best edge of each entity, then the second best of each: none crowds out the others.
    select * from kept where rank <= p_per_node order by rank, ${BY_CERTAINTY} limit p_limit
  )
  select s.subject_key, s.predicate, s.object_key, s.confidence, s.n::int,
         array_to_string(s.ids[1:${2 * EVIDENCE_SHOWN_MAX}], ','), null::int, null::int, null::boolean
    from shown s
  union all
  select null, null, null, null, null, null,
         (select count(*)::int from edges where of_kind and confidence < p_min_confidence),
         (select count(*)::int from edges where not of_kind),
         (select count(*) from kept) > (select count(*) from shown)
           or exists (select from rows group by key, side having count(*) >= ${ROWS_AT_A_NAME})`,
  `subject_key text, predicate text, object_key text, confidence float8, evidence_count int, evidence_ids text,
  dropped_confidence int, dropped_kind int, is_cut boolean`,
);

/** The rows of some edges as evidence: the best row of each id that a walk over these kinds may take. */
export const graphEvidence = graphFunction(
  'graph_evidence',
  'p_ids uuid[], p_kinds text[]',
  `
  select distinct on (e.id) e.id, ${KIND}, r.verdict, e.chunk_id, e.item_id, e.position, c.folder_id,
         (select f.tier from library.folders f where f.id = c.folder_id)
    from unnest(p_ids) as k(id)
    join graph.edges e on e.id = k.id and ${inWorkspace('e')}
    ${joinChunk('e')}
    ${JUDGED.trim()} and ${KIND} = any (p_kinds)
    order by e.id, ${CONFIDENCE} desc, e.position, e.ordinal`,
  `id uuid, source_kind text, verdict text, chunk_id uuid, item_id uuid, "position" bigint, folder_id uuid, tier text`,
);
