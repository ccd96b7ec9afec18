import type { API } from '@opensearch-project/opensearch';
import type { Bm25 } from './lexical.schema.js';
import { MARK_MAPPING } from './opensearch-mark.js';
import { TOMBSTONE_MAPPING } from './opensearch-tombstone.js';

/** Readers use `chunks`, an alias of the live version. */
export const CHUNKS_ALIAS = 'chunks';
/**
 * The name under which one generation of an index is read and written. It is lost with the index, so an index that
 * something else has created in its place is never mistaken for it (ADR 0131).
 */
export const generationAlias = (generation: string): string => `${CHUNKS_ALIAS}-of-${generation}`;
/** All versions. */
export const CHUNKS_INDICES = `${CHUNKS_ALIAS}-v*`;
export const chunksIndex = (version: number): string => `${CHUNKS_ALIAS}-v${version}`;

/** The Snowball list, which Postgres' `english` uses; Lucene's own is shorter, and the same text would rank differently. */
const STOP_WORDS =
  `i me my myself we our ours ourselves you your yours yourself yourselves he him his himself she her hers herself it
its itself they them their theirs themselves what which who whom this that these those am is are was were be been being
have has had having do does did doing a an the and but if or because as until while of at by for with about against
between into through during before after above below to from up down in out on off over under again further then once
here there when where why how all any both each few more most other some such no nor not only own same so than too very
s t can will just don should now`.split(/\s+/);

/**
 * The same analysis as `text_config = 'english'`: Snowball stemmer and stop words, and the same k1 and b. The text itself
 * is indexed but not kept in `_source`. The projector refreshes when a batch is written, so the index need not.
 */
export const chunksIndexBody = ({ k1, b }: Bm25): API.Indices_Create_RequestBody =>
  ({
    settings: {
      number_of_shards: 1,
      auto_expand_replicas: '0-1',
      refresh_interval: '-1',
      // By default a deleted document would stay in its segment for hours, and a merge would leave it there.
      'soft_deletes.retention_lease.period': '10s',
      'merge.policy.expunge_deletes_allowed': '0',
      similarity: { default: { type: 'BM25', k1, b } },
      analysis: {
        filter: {
          english_stop: { type: 'stop', stopwords: STOP_WORDS },
          english_stemmer: { type: 'stemmer', language: 'porter2' },
        },
        analyzer: {
          english_words: {
            type: 'custom',
            // The text already consists of plain words in lower case.
            tokenizer: 'whitespace',
            filter: ['english_stop', 'english_stemmer'],
          },
        },
      },
    },
    mappings: {
      dynamic: 'strict',
      _source: { excludes: ['body'] },
      properties: {
        workspaceId: { type: 'keyword' },
        folderId: { type: 'keyword' },
        itemId: { type: 'keyword' },
        superseded: { type: 'boolean' },
        expiresAt: { type: 'date' },
        ...TOMBSTONE_MAPPING,
        ...MARK_MAPPING,
        body: { type: 'text', analyzer: 'english_words', index_options: 'freqs' },
      },
    },
  }) as API.Indices_Create_RequestBody;
