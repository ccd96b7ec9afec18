/**
 * Reads names, relations and sentences out of texts, without a model server: the FindingsExtractor port and its adapters.
 * Knows nothing of other chunks, keeps nothing, and refuses databases and clocks: the same text gives the same findings.
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
export { RULES_EXTRACTOR_ID, RulesExtractor } from './rules-extractor.js';
export { WorkerExtractor } from './worker-extractor.js';
