/**
 * The wire: commands, events, queries, envelope, subjects, limits, error codes. Schemas are values, types are inferred.
 * Contains no behaviour: rules live in `@cairn/domain`.
 */
export * from './limits.js';
export {
  AgentId,
  codePoints,
  cutAtWord,
  DayOrTime,
  echoed,
  filled,
  firstChars,
  isDay,
  IsoTime,
  Slug,
  Tag,
  Tags,
  text,
  UNSPACED_SCRIPTS,
  Uuid,
  sentencesOf,
  verbatim,
} from './text.js';
export * from './principal.js';
export * from './errors.js';
export * from './client-blocks.js';
export { Id, pageOf, Position, Time, type Page, type Placed, type Wire } from './answer.js';
export { parseInput } from './invalid-input.js';
export { droppingUnknown, keepingUnknown, messageIn } from './tolerant.js';
export { withoutUnknown } from './without-unknown.js';
export { editDistance } from './nearest-name.js';
export { plural } from './plural.js';
export * from './broker-users.js';
export * from './subjects.js';
export * from './surface.js';
export * from './envelope.js';
export { fieldsOf } from './fields-of.js';
export * from './graph-words.js';
export * from './connector-words.js';
export * from './mesh-uri.js';
export * from './graph-events.js';
export * from './graph-commands.js';
export * from './graph-queries.js';
export * from './item.js';
export * from './attach-commands.js';
export * from './link-events.js';
export * from './link-commands.js';
export * from './link-queries.js';
export * from './token.js';
export * from './confirmation-events.js';
export * from './external-server.js';
export * from './connector-events.js';
export { isNewerEvent, nounOf, upcastData } from './event-definition.js';
export * from './events.js';
export * from './forget-ledger.js';
export { givenTitle, NO_TITLE, shownTitle, titleFrom, UNTITLED_KINDS } from './item-title.js';
export * from './forgetting-events.js';
export * from './notice.js';
export * from './text-op.js';
export * from './vector-message.js';
export * from './vector-models.js';
export { type CommandDefinition } from './command-definition.js';
export * from './confirmation-commands.js';
export * from './account-commands.js';
export * from './sync-commands.js';
export * from './commands.js';
export { serverChangeFields } from './server-commands.js';
export * from './account-queries.js';
export * from './commit-commands.js';
export * from './claim-queries.js';
export * from './mesh-queries.js';
export * from './memory-queries.js';
export * from './metadata-queries.js';
export * from './series-words.js';
export * from './series-commands.js';
export * from './series-queries.js';
export * from './operator-queries.js';
export * from './search-queries.js';
export * from './server-queries.js';
export * from './queries.js';
export { type QueryDefinition } from './query-definition.js';
