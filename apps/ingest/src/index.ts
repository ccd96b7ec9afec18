/** The write side as a Nest module, for `main.ts` here and for the standalone app. */
export { ingestConfig, ingestEnv, type IngestConfig } from './config.js';
export { IngestModule } from './ingest.module.js';
export { CommandWriter } from './commands/command-writer.js';
