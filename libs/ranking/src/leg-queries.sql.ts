/** The ranked reads that more than one function contains, with the settings that their plans need. */
import { isCurrent, isInFolders, type FolderReaderSql } from '@cairn/access';
import { READER_SQL } from './sql-function.js';

/** The filters of a search on the chunks `c` themselves, as parameters of a function and as a condition. */
export const FILTER = 'p_superseded boolean, p_expired boolean, p_tags text[]';

export const MATCHES_FILTER = `${isCurrent('c', { superseded: 'p_superseded', expired: 'p_expired' })}
      and c.tags @> p_tags`;

/** A function's reader, once `v_folders` holds the folders that it may see. */
export const ALLOWED: FolderReaderSql = { ...READER_SQL, folders: 'v_folders' };

/** The vector of the chunk `c`. Vectors of another length cannot be compared with the query, so they do not count. */
export const VECTOR_OF_CHUNK = `vectors.embeddings e on e.chunk_id = c.id and e.text_hash = c.text_hash and e.model = p_model
      and vector_dims(e.embedding) = vector_dims(p_query)`;

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
