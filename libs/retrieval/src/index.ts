/**
 * The one retrieval core behind four search surfaces: parallel legs, a named fusion, texts decrypted for the winners
 * only. Scope and filters apply inside every leg, before its limit. Never writes, embeds or formats.
 */
export { type Candidate, type LegName, type LegResult, type ScoredId } from './candidate.js';
export { claimGraphOf } from './claims/claim-graph.js';
export { verifyHypothesis, type ClaimGraph, type HypothesisContext } from './claims/verify-hypothesis.js';
export { type ChunkFilter } from './chunk-filter.js';
export { firstTextOf } from './first-body.js';
export { postgresFolders } from './folder-resolver.js';
export { cosineOnly, keywordOnly, rrfFusion, weightedFusion, type FusedHit, type Fusion } from './fusion.js';
export { walkLinks, type LinkWalk, type WalkContext } from './graph/walk-links.js';
export { itemLinks, type ItemLink } from './graph/item-links.js';
export { type LexicalIndex } from './lexical-index.port.js';
export { KeywordIndexInUse, type IndexInUse } from './keyword-index-in-use.js';
export { OpenSearchLexicalIndex, type FolderResolver } from './opensearch-lexical-index.js';
export { PostgresHybridSearch } from './postgres-hybrid-search.js';
export { PostgresLegs, type LegRequest, type VectorRequest } from './postgres-legs.js';
export { PostgresLexicalIndex } from './postgres-lexical-index.js';
export { type EmbeddedQuery } from './query-vector.js';
export { queryItems } from './query-items.js';
export { recallChunks, type ChunkRecall } from './recall-chunks.js';
export { knownNames } from './routing/known-names.js';
export { searchChunks, type ChunkSearch, type ChunkSearchResult } from './search-chunks.js';
export { type SearchContext, type SearchStage } from './search-context.js';
export { searchItems, type ItemSearch, type ItemSearchResult } from './search-items.js';
export * from './graph/index.js';
export {
  NO_CANDIDATES,
  type Proposal,
  type ProposalUse,
  type VectorCandidates,
  type Wanted,
} from './vector-candidates.port.js';
export { searchSemantic, type SemanticSearch } from './search-semantic.js';
export { querySeries } from './series/query-series.js';
export { loadWinners, type KeyOpener, type Winner } from './winners.js';
