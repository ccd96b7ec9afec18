/** The ranked reads that more than one function contains, with the settings that their plans need. */
import { isCurrent, isInFolders, type FolderReaderSql } from '@cairn/access';
import { READER_SQL } from './sql-function.js';

/** Bounds of the walk through the graph under filters. A walk that they stop is answered by the exact scan instead. */
const SCAN_TUPLES_MAX = 50_000;
const SCAN_MEMORY_MULTIPLIER = 8;

export const WALK_SETTINGS = `set enable_sort = off
set hnsw.iterative_scan = 'strict_order'
set hnsw.max_scan_tuples = ${SCAN_TUPLES_MAX}
set hnsw.scan_mem_multiplier = ${SCAN_MEMORY_MULTIPLIER}
set hnsw.ef_search = 100`;

/** The filters of a search on the chunks `c` themselves, as parameters of a function and as a condition. */
export const FILTER = 'p_superseded boolean, p_expired boolean, p_tags text[]';

export const MATCHES_FILTER = `${isCurrent('c', { superseded: 'p_superseded', expired: 'p_expired' })}
      and c.tags @> p_tags`;

/** A function's reader, once `v_folders` holds the folders that it may see. */
export const ALLOWED: FolderReaderSql = { ...READER_SQL, folders: 'v_folders' };

/** The nearest chunks by the HNSW index. `filter` is SQL with further conditions. */
export const nearestByWalk = (reader: FolderReaderSql, filter: string): string =>
  `select c.id as chunk_id, c.item_id, 1 - (e.embedding <=> p_query) as score
    from vectors.embeddings e
    join library.chunks c on c.id = e.chunk_id and c.text_hash = e.text_hash
    where e.model = p_model
      and e.workspace_id = p_workspace
      -- "is true" hides these from the index on workspace and folder: a chunk is reached by its id only.
      and (${isInFolders('c', reader)}) is true
      and ${filter}
    order by e.embedding <=> p_query
    limit p_limit`;

export const WORDS_SETTINGS = ['set enable_seqscan = off', 'set enable_sort = off', 'set enable_bitmapscan = off'];

/** The best chunks by BM25, with the score that the scan computed: repeating the operator costs 0.3 ms per row. */
export const bestByWords = (reader: FolderReaderSql, words: string): string =>
  `select d.chunk_id, d.item_id, -bm25_get_current_score() as score
    from lexical.documents d
    where ${isInFolders('d', reader)}
      -- Word for word as in the index, which holds no others.
      and not d.sensitive
      and ${isCurrent('d')}
    order by d.body <@> to_bm25query(${words}, 'lexical.documents_bm25')
    limit p_limit`;
