/** Turns text into vectors, as a Nest module for `main.ts` here and for the standalone app. Refuses a database. */
export { embedderEnv, type EmbedderConfig } from './config.js';
export { EmbedderModule } from './embedder.module.js';
