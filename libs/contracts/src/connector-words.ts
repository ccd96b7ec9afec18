import { z } from 'zod';
import { CONNECTOR_ID_CHARS_MAX, CREDENTIAL_CHARS_MAX, NAME_CHARS_MAX } from './limits.js';
import { RETENTIONS, type Retention } from './graph-words.js';
import { filled, text } from './text.js';

/**
 * The capabilities of a connector: list and store the documents of a source, read a file that a person gives, fetch one
 * text.
 */
export const CONNECTOR_CAPABILITIES = ['sync', 'import', 'hydrate:text'] as const;
export const ConnectorCapability = z.enum(CONNECTOR_CAPABILITIES);
export type ConnectorCapability = z.infer<typeof ConnectorCapability>;

export const ConnectorId = z
  .string()
  .min(1)
  .max(CONNECTOR_ID_CHARS_MAX)
  .regex(/^[a-z0-9]+(-[a-z0-9]+)*$/, 'must be lower-case words of a-z and 0-9 joined by hyphens');

/** Whether a person must confirm each fetch from the source. */
export const CONFIRM_RULES = ['never', 'always'] as const;
export const ConfirmRule = z.enum(CONFIRM_RULES);
export type ConfirmRule = z.infer<typeof ConfirmRule>;

/** The strictest of several rules: the one that keeps least of a text. */
export const tightestRetention = (...rules: readonly Retention[]): Retention =>
  RETENTIONS[Math.max(...rules.map((rule) => RETENTIONS.indexOf(rule)), 0)]!;

/** Whether `rule` keeps less than `than`. */
export const isTighter = (rule: Retention, than: Retention): boolean =>
  RETENTIONS.indexOf(rule) > RETENTIONS.indexOf(than);

/** A secret for the source. */
export const AccountCredential = text(1, CREDENTIAL_CHARS_MAX);

export const AccountLabel = filled(NAME_CHARS_MAX);

/** Already checked against the connector's own schema. */
export const AccountSettings = z.record(z.string(), z.unknown());
export type AccountSettings = z.infer<typeof AccountSettings>;
