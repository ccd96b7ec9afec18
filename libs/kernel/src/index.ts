/**
 * What every project may lean on: the error, the clock, ids, configuration. No I/O, no Node built-ins.
 * Refuses a fifth file without an ADR.
 */
export { AppError, assert, type ErrorDetails, type ErrorKind } from './app-error.js';
export { isoTime, systemClock, type Clock } from './clock.js';
export { systemIds, uuidV7, type IdGenerator } from './id-generator.js';
export { ConfigError, loadConfig } from './load-config.js';
