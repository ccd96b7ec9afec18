/**
 * The ranking statements, as functions in the database. Three reasons, all measured on PGlite with 5,000 chunks:
 * planner and HNSW settings apply to one statement only (a function's SET ends with the call, while all clients share one
 * session); the plan is kept between calls; and finding the allowed folders costs no extra round trip.
 *
 * Every plan is forced, because none of these tables has statistics on PGlite and the planner's guesses there were up
 * to 1,000 times slower: BM25 by sequential scan took 1.5 s instead of 1.1 ms.
 */
import { itemEntries } from './entries.sql.js';
import { allowedFolders } from './folders.sql.js';
import { frequentWord, fulltextBest, fulltextLeg } from './fulltext.sql.js';
import { GRAPH_SQL } from './graph.sql.js';
import { hybridSearch } from './hybrid-search.sql.js';
import { linksOf } from './links.sql.js';
import { allOfWords, queryWords } from './query-words.sql.js';
import { recalledNearest } from './recalled.sql.js';
import { chunksAfter, vectorsAfter } from './resident.sql.js';
import { titleLeg, titleWalk } from './titles.sql.js';
import { vectorIndex, vectorIndexName } from './vector-index.sql.js';
import { nearestChunks, nearestLeg, prefersExact, vectorExact, vectorProposed } from './vector.sql.js';
import { winningChunks } from './winners.sql.js';
import { bm25Leg, wordLegs } from './words.sql.js';

/** Maps the file name in `__sql__` to the statement, in the order of installation. */
export const RANKING_SQL: Readonly<Record<string, string>> = {
  'allowed-folders': allowedFolders,
  'prefers-exact': prefersExact,
  'query-words': queryWords,
  'all-of-words': allOfWords,
  'vector-exact': vectorExact,
  'vector-index-name': vectorIndexName,
  'vector-index': vectorIndex,
  'vector-proposed': vectorProposed,
  'nearest-chunks': nearestChunks,
  'nearest-leg': nearestLeg,
  'vectors-after': vectorsAfter,
  'chunks-after': chunksAfter,
  'bm25-leg': bm25Leg,
  'frequent-word': frequentWord,
  'fulltext-best': fulltextBest,
  'fulltext-leg': fulltextLeg,
  'title-walk': titleWalk,
  'title-leg': titleLeg,
  'word-legs': wordLegs,
  'winning-chunks': winningChunks,
  'hybrid-search': hybridSearch,
  'recalled-nearest': recalledNearest,
  'item-entries': itemEntries,
  ...GRAPH_SQL,
  'links-of': linksOf,
};
