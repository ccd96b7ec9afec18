/**
 * The pure rules of the graph: names, links, walks, claims, routes, compaction. Everything here is a function of its
 * arguments, so the product and the in-memory Cairn share it. Never uses I/O, clocks or language models.
 */
export { entityKey } from './entity-key.js';
export { nameEntity, type NamingMention } from './entity-name.js';
export { itemIdsIn } from './text-links.js';
export {
  PARTS_OF_SPEECH,
  type AnalysedSentence,
  type AnalysedToken,
  type PartOfSpeech,
  type SentenceEdge,
  type SentenceName,
  type SentenceNumber,
} from './analysed-sentence.js';
export type { SameName } from './claims/coverage.js';
export { FUNCTIONAL_PREDICATES } from './claims/lexicon.js';
export {
  CLAIM_REASONS,
  VERDICTS,
  verifyClaim,
  type ClaimEvidence,
  type ClaimReason,
  type JudgedText,
  type Verdict,
} from './claims/verify-claim.js';
export { nameCandidates, type NameCandidate } from './router/name-candidates.js';
export { planRoute, STRATEGIES, type QueryFacts, type Route, type Strategy } from './router/plan-route.js';
export { linkGraph, type LinkGraph, type WalkLink } from './walk/link-graph.js';
export { DAMPING, ITERATIONS_MAX, pageRank, TOLERANCE, type Ranking } from './walk/page-rank.js';
export {
  walk,
  WALK_MODES,
  type Via,
  type Walked,
  type WalkMode,
  type WalkResult,
  type WalkTrace,
} from './walk/walk.js';
export { placeOfName, type NamePlace } from './name-in-text.js';
export {
  byRank,
  candidateScore,
  closerMatch,
  misspelt,
  spellingsOf,
  type Spellings,
  type RankedCandidate,
} from './candidate-rank.js';
export { entityClasses, type EntityClass, type NameMerge } from './merge-classes.js';
export { mergeSuggestions, SAME_AS, type MergeSuggestion } from './merge-suggestions.js';
export {
  walkEntities,
  type Dropped,
  type EdgeSource,
  type Hop,
  type HopEdge,
  type ReachedEdge,
  type ReachedNode,
  type Walk,
  type WalkLimits,
} from './walk-entities.js';
export { amountOf, rounded } from './series/amount.js';
export { dayOf, monthOf, weekOf } from './series/buckets.js';
export { instantOf, rangeOf, type Range } from './series/instants.js';
export { newestRows, type PlacedObservation } from './series/newest.js';
export {
  lineOf,
  observationLine,
  observationsIn,
  purgedIn,
  rollupsIn,
  type PurgedIds,
  type RollupRow,
} from './series/observation.js';
export { packItems, packLines } from './series/pack-lines.js';
export { foldDays, keptTotals } from './series/rollup.js';
export { seriesRows, type Part, type SeriesRow, type SeriesRows } from './series/series-rows.js';
export {
  groupingOf,
  requiredMetric,
  requiredSubstrate,
  SUBSTRATES,
  substrateOf,
  type Grouping,
  type Metric,
  type SubstrateColumn,
  type SubstrateTable,
} from './series/substrate.js';
export { totalsOf, type Totals } from './series/totals.js';
export { compactText, type Compacted, type Compaction } from './compact/compact-text.js';
export { compactFormatOf, type CompactFormat } from './compact/text-format.js';
export { countTokens } from './token-counter.js';
