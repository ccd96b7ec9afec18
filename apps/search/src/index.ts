/** The read side as a Nest module, for `main.ts` here and for the standalone app. Refuses to write anything. */
export { searchConfig, searchEnv, type SearchConfig } from './config.js';
export { SearchModule } from './search.module.js';
