import { lexicalIndexContract } from './lexical-index.contract.js';
import { postgresHarness } from './postgres-harness.fake.js';

lexicalIndexContract('Postgres', postgresHarness);
