import { describe, expect, it } from '@jest/globals';
import { lexicalIndexes } from './lexical.schema.js';
import { chunksIndexBody } from './opensearch-index.js';

describe('the settings of BM25', () => {
  it('are the same for the index in Postgres and the index in OpenSearch', () => {
    expect(lexicalIndexes('lexical', { k1: 1.2, b: 0.75 })[0]).toContain('k1 = 1.2, b = 0.75');
    const { settings } = chunksIndexBody({ k1: 1.2, b: 0.75 }) as { settings: { similarity: unknown } };
    expect(settings.similarity).toEqual({ default: { type: 'BM25', k1: 1.2, b: 0.75 } });
  });
});
