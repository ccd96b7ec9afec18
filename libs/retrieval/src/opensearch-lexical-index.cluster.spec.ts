import { lexicalIndexContract } from './lexical-index.contract.js';
import { openSearchHarness } from './opensearch-harness.fake.js';

lexicalIndexContract('OpenSearch', openSearchHarness);
