import { lexicalIndexContract } from './lexical-index.contract.js';
import { postgresHarness } from './postgres.harness.js';

lexicalIndexContract('Postgres', postgresHarness);
