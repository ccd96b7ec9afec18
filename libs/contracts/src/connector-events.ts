import { z } from 'zod';
import { AccountCredential, AccountSettings, ConfirmRule, ConnectorId } from './connector-words.js';
import { defineEvent, Sealed } from './event-definition.js';
import { Retention } from './graph-words.js';
import { Uuid } from './text.js';

/**
 * The content of `sealed` in an account, under the account's own key, which is destroyed when the account is
 * disconnected.
 */
export const AccountSecrets = z.strictObject({
  label: z.string(),
  settings: AccountSettings,
  credential: AccountCredential.optional(),
});
export type AccountSecrets = z.infer<typeof AccountSecrets>;

/** The fields of an account that are not sealed. */
export const accountRules = {
  folderId: Uuid,
  retention: Retention,
  hydrate: z.boolean(),
  confirm: ConfirmRule,
  batchTokensMax: z.int().min(1),
};

/** An account at a source is connected: its documents can be stored or fetched from now on. */
export const ConnectorConnected = defineEvent(
  'connector.connected',
  1,
  'connector_connect',
  z.strictObject({ accountId: Uuid, connectorId: ConnectorId, ...accountRules, sealed: Sealed }),
);

/** The changed fields. `sealed` is always given as a whole. */
export const ConnectorConfigured = defineEvent(
  'connector.configured',
  1,
  'connector_configure',
  z.strictObject({ accountId: Uuid, ...z.strictObject(accountRules).partial().shape, sealed: Sealed.optional() }),
);

/** The account's key is destroyed with it. Items that came from the account stay. */
export const ConnectorDisconnected = defineEvent(
  'connector.disconnected',
  1,
  'connector_disconnect',
  z.strictObject({ accountId: Uuid }),
);
