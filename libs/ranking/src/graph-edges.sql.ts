import { graphFunction, inWorkspace, isVisible, joinChunk } from './graph-reader.sql.js';
import { CONFIDENCE, JUDGED, KIND } from './graph-walk.sql.js';

const EDGE_COLUMNS = `e.id, e.ref_hash, e.subject_key, e.predicate, e.object_key, e.confidence, e.source_kind, e.negated,
         r.verdict, e.chunk_id, e.item_id, c.folder_id, e.position`;
const EDGE_RETURNS = `id uuid, ref_hash bytea, subject_key text, predicate text, object_key text, confidence float8,
  source_kind text, negated boolean, verdict text, chunk_id uuid, item_id uuid, folder_id uuid, "position" bigint`;

/** Every visible row `e` that states the same as the row with this id. What denies it is not evidence of it. */
const SAME_EDGE = `(
      select distinct o.subject_key, o.predicate, o.object_key
        from graph.edges o
        join library.chunks co on co.id = o.chunk_id and co.text_hash = o.text_hash
          and (${isVisible('co')}) is true
        where o.id = p_id and ${inWorkspace('o')} and not o.negated
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
    join library.chunks c on c.id = r.chunk_id and (${isVisible('c')}) is true`,
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
