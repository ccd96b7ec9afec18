/**
 * The `lexical` read model: BM25 over title and text, in Postgres (standalone) or OpenSearch (cluster). Both writers
 * take the same changes and index the same words. Does not search: `@cairn/retrieval` does.
 */
export { type LexicalChange, type LexicalDocument, type LexicalPlace, type LexicalSource } from './lexical-change.js';
export { lexicalQuery, lexicalText } from './lexical-text.js';
export { BM25_DEFAULT, type Bm25 } from './lexical.schema.js';
export { inspectKeywordIndex, liveKeywordIndex } from './opensearch-generation.js';
export { CHUNKS_ALIAS, chunksIndex, generationAlias } from './opensearch-index.js';
export { NOT_REMOVED } from './opensearch-tombstone.js';
export {
  OpenSearchLexicalWriter,
  type LexicalLibrary,
  type OpenSearchLexicalOptions,
} from './opensearch-lexical-writer.js';
export { writePostgresLexical } from './postgres-lexical-writer.js';
