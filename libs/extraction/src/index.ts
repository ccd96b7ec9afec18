/**
 * Reads names, relations and sentences from texts, and times and folders from queries, without a model server: the
 * FindingsExtractor port and its adapters. Knows nothing of other chunks, stores nothing, and never uses a database or
 * a clock: the same text gives the same findings.
 */
export {
  FINDINGS_MAX,
  type ChunkToRead,
  type Findings,
  type FindingsExtractor,
  type FoundEdge,
  type FoundMention,
} from './findings-extractor.port.js';
export { analyseSentences } from './analyse-sentences.js';
export { queryFacts, type NamedFolio, type RoutingWorld } from './routing/query-facts.js';
export { RULES_EXTRACTOR_ID, RulesExtractor } from './rules-extractor.js';
export { WorkerExtractor } from './worker-extractor.js';
