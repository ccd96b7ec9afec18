import type { FolderReader } from '@cairn/access';
import type { Candidate } from './candidate.js';

/** BM25 over title and text of the current chunks: English stemming and stop words, k1 0.9, b 0.4. */
export interface LexicalIndex {
  /**
   * Any text is a legal query; words are matched, and nothing in it is an operator. Best first, without non-matches.
   */
  search(query: string, reader: FolderReader, limit: number): Promise<Candidate[]>;
}
