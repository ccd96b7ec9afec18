/** The operator's command line. Nothing imports it; `bin/cairn.mjs` runs `main.ts`. */
export { EXIT } from './exit.js';
