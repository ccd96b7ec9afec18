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
