import { lexicalIndexContract } from './lexical-index.contract.js';
import { openSearchHarness } from './opensearch.harness.js';

lexicalIndexContract('OpenSearch', openSearchHarness);
