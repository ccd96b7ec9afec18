import { folderReaderValues, seesNothing, type FolderReader } from '@cairn/access';
import { readRows } from '@cairn/persistence';
import { lexicalQuery } from '@cairn/projections';
import type { Pool } from 'pg';
import type { Candidate } from './candidate.js';
import type { LexicalIndex } from './lexical-index.port.js';

const BM25 = `select chunk_id as "chunkId", item_id as "itemId", score
from retrieval.bm25_leg($1, $2, $3, $4, $5)
where score > 0`;

/** BM25 by pg_textsearch, for the standalone profile. */
export class PostgresLexicalIndex implements LexicalIndex {
  constructor(private readonly pool: Pool) {}

  async search(query: string, reader: FolderReader, limit: number): Promise<Candidate[]> {
    const words = lexicalQuery(query);
    if (seesNothing(reader) || words === '') return [];
    return readRows<Candidate>(this.pool, BM25, [...folderReaderValues(reader), words, limit]);
  }
}
