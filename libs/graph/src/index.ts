/**
 * The pure rules of the graph: names, links, walks, claims, routes, compaction. Everything here is a function of its
 * arguments, so the product and the in-memory Cairn share it. Refuses I/O, clocks and language models.
 */
export { entityKey } from './entity-key.js';
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
