import { z } from 'zod';
import { Position } from './answer.js';
import { defineCommand } from './command-definition.js';
import { AccountCredential, AccountLabel, AccountSettings, ConfirmRule, ConnectorId } from './connector-words.js';
import { Retention } from './graph-words.js';
import { MESH_BATCH_TOKENS_MAX } from './limits.js';
import { Uuid } from './text.js';

const written = z.strictObject({ accountId: Uuid, position: Position });

/** The most tokens that fetching one text of the account may cost. */
export const BatchTokensMax = z.int().min(1).max(MESH_BATCH_TOKENS_MAX);

/**
 * The gateway has already checked connector and settings against the manifest: only the gateway knows the connectors.
 */
export const ConnectAccount = defineCommand(
  'account.connect',
  z.strictObject({
    accountId: Uuid,
    connectorId: ConnectorId,
    label: AccountLabel,
    /** Defaults to the token's only folder, or else to the workspace's default folder. */
    folderId: Uuid.optional(),
    retention: Retention,
    hydrate: z.boolean(),
    confirm: ConfirmRule,
    batchTokensMax: BatchTokensMax,
    settings: AccountSettings,
    credential: AccountCredential.optional(),
    /** If false, the workspace may have only one account of this connector. */
    multiAccount: z.boolean(),
  }),
  written,
);

export const accountChangeFields = {
  label: AccountLabel.optional(),
  folderId: Uuid.optional(),
  retention: Retention.optional(),
  hydrate: z.boolean().optional(),
  confirm: ConfirmRule.optional(),
  batchTokensMax: BatchTokensMax.optional(),
  settings: AccountSettings.optional(),
  /** null removes the credential. */
  credential: AccountCredential.nullable().optional(),
};

export const ConfigureAccount = defineCommand(
  'account.configure',
  z.strictObject({ accountId: Uuid, ...accountChangeFields }),
  written,
);

export const DisconnectAccount = defineCommand('account.disconnect', z.strictObject({ accountId: Uuid }), written);
