/**
 * The one retrieval core behind four search surfaces: legs side by side, a named fusion, texts opened for the winners
 * only. Scope and filters are inside every leg, before its limit. Refuses to write, to embed and to format.
 */
export { type Candidate, type LegName, type LegResult, type ScoredId } from './candidate.js';
export { type ChunkFilter } from './chunk-filter.js';
export { firstTextOf } from './first-body.js';
export { postgresFolders } from './folder-resolver.js';
export { cosineOnly, keywordOnly, rrfFusion, weightedFusion, type FusedHit, type Fusion } from './fusion.js';
export { type LexicalIndex } from './lexical-index.port.js';
export { OpenSearchLexicalIndex, type FolderResolver } from './opensearch-lexical-index.js';
export { PostgresHybridLegs } from './postgres-hybrid-legs.js';
export { PostgresLegs, type LegRequest } from './postgres-legs.js';
export { PostgresLexicalIndex } from './postgres-lexical-index.js';
export { type EmbeddedQuery } from './query-vector.js';
export { recallChunks, type ChunkRecall } from './recall-chunks.js';
export { searchChunks, type ChunkSearch, type ChunkSearchResult } from './search-chunks.js';
export { type SearchContext, type SearchStage } from './search-context.js';
export { searchItems, type ItemSearch, type ItemSearchResult } from './search-items.js';
export { loadWinners, type KeyOpener, type Winner } from './winners.js';
