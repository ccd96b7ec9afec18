/**
 * The wire: commands, events, queries, envelope, subjects, limits, error codes. Schemas are values, types are inferred.
 * Refuses behaviour: whoever needs a rule goes to `@cairn/domain`.
 */
export * from './limits.js';
export { AgentId, IsoTime, Slug, Tag, text, Uuid } from './text.js';
export * from './principal.js';
export * from './errors.js';
export { invalidInput, parseInput } from './invalid-input.js';
export * from './subjects.js';
export * from './envelope.js';
export * from './events.js';
export * from './vector-message.js';
export * from './commands.js';
export * from './queries.js';
