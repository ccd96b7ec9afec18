/** The laptop profile: four services, nats-server and PGlite, started together. Run by `main.ts`; nothing imports it. */
export { standaloneEnv, type StandaloneEnv } from './config.js';
export { startStandalone } from './standalone.js';
