/**
 * What every project may lean on: the error, the clock, ids, configuration, the fair queue (ADR 0052). No I/O, no Node
 * built-ins. Refuses a further file without an ADR.
 */
export { AppError, assert, type ErrorDetails, type ErrorKind } from './app-error.js';
export { isoTime, systemClock, type Clock } from './clock.js';
export { FairGate } from './fair-gate.js';
export { FairQueue, type Turn } from './fair-queue.js';
export { systemIds, uuidV7, uuidV8, type IdGenerator } from './id-generator.js';
export { ConfigError, loadConfig } from './load-config.js';
