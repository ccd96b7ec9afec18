/**
 * Basics for every project: the error and its codes (ADR 0069), the clock, ids, configuration, the fair queue (ADR 0052),
 * work in flight (ADR 0140). No I/O, no Node built-ins. A new file needs an ADR.
 */
export { AppError, assert, fail, type ErrorDetails } from './app-error.js';
export { isoTime, systemClock, type Clock } from './clock.js';
export { ERROR_KINDS, isErrorCode, type ErrorCode, type ErrorKind } from './error-codes.js';
export { FairGate } from './fair-gate.js';
export { FairQueue, type Turn } from './fair-queue.js';
export { systemIds, uuidV7, uuidV8, type IdGenerator } from './id-generator.js';
export { InFlight } from './in-flight.js';
export { ConfigError, loadConfig } from './load-config.js';
