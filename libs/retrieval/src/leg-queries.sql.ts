/** The ranked reads that more than one function contains, with the settings that their plans need. */

/** Bounds of the walk through the graph under filters; when they stop it short, the exact scan answers. */
const SCAN_TUPLES_MAX = 50_000;
const SCAN_MEMORY_MULTIPLIER = 8;

export const WALK_SETTINGS = `set enable_sort = off
set hnsw.iterative_scan = 'strict_order'
set hnsw.max_scan_tuples = ${SCAN_TUPLES_MAX}
set hnsw.scan_mem_multiplier = ${SCAN_MEMORY_MULTIPLIER}
set hnsw.ef_search = 100`;

/** The nearest chunks by the HNSW index. `folders` and `filter` are SQL: the allowed folders, and what else must hold. */
export const nearestByWalk = (folders: string, filter: string): string =>
  `select c.id as chunk_id, c.item_id, 1 - (e.embedding <=> p_query) as score
    from vectors.embeddings e
    join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash
    where e.model = p_model
      and e.workspace_id = p_workspace
      -- "is true" hides these from the index on workspace and folder: a chunk is reached by its id only.
      and (c.workspace_id = p_workspace and c.folder_id = any (${folders})) is true
      and ${filter}
    order by e.embedding <=> p_query
    limit p_limit`;

export const WORDS_SETTINGS = ['set enable_seqscan = off', 'set enable_sort = off', 'set enable_bitmapscan = off'];

/** Neither replaced nor too old: all that `search_knowledge_base` ever shows. */
export const isCurrent = (alias: string): string => `not ${alias}.superseded
      and (${alias}.expires_at is null or ${alias}.expires_at > now())`;

/** The best chunks by BM25, with the score of the scan itself: writing the operator once more costs 0.3 ms a row. */
export const bestByWords = (folders: string, words: string): string =>
  `select d.chunk_id, d.item_id, -bm25_get_current_score() as score
    from lexical.documents d
    where d.workspace_id = p_workspace
      and d.folder_id = any (${folders})
      -- Word for word as in the index, which holds no others.
      and not d.sensitive
      and ${isCurrent('d')}
    order by d.body <@> to_bm25query(${words}, 'lexical.documents_bm25')
    limit p_limit`;
