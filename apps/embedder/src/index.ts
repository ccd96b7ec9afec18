/** Text to vector as a Nest module, for `main.ts` here and for the standalone app. No database. */
export { embedderEnv, type EmbedderConfig } from './config.js';
export { EmbedderModule } from './embedder.module.js';
