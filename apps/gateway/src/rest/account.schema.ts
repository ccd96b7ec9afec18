import {
  AccountCredential,
  AccountLabel,
  AccountSettings,
  AccountView,
  BatchTokensMax,
  ConfirmRule,
  ConnectorId,
  MESH_BATCH_TOKENS_DEFAULT,
  Position,
  Retention,
  someOf,
  SYNC_CURSOR_CHARS_MAX,
  Uuid,
} from '@cairn/contracts';
import { z } from 'zod';

export const AccountAnswer = AccountView;
export const AccountWrittenAnswer = AccountView.extend({ position: Position });

const KEPT = 'Sealed, and never shown again.';

export const newAccount = z.strictObject({
  connectorId: ConnectorId,
  label: AccountLabel,
  folderId: Uuid.optional().describe('The default folder when left out.'),
  retention: Retention.optional().describe('That of the connector when left out. The tighter one counts.'),
  hydrate: z.boolean().default(true),
  confirm: ConfirmRule.default('never'),
  batchTokensMax: BatchTokensMax.default(MESH_BATCH_TOKENS_DEFAULT),
  settings: AccountSettings.default({}),
  credential: AccountCredential.optional().describe(KEPT),
});

const changes = {
  label: AccountLabel.optional(),
  folderId: Uuid.optional().describe('For items that are stored from now on.'),
  retention: Retention.optional().describe('For items that are stored from now on.'),
  hydrate: z.boolean().optional(),
  confirm: ConfirmRule.optional(),
  batchTokensMax: BatchTokensMax.optional(),
  settings: AccountSettings.optional().describe('Replaces all settings.'),
  credential: AccountCredential.nullable().optional().describe(`null removes it. ${KEPT}`),
};

export const accountChange = someOf(changes)(z.strictObject(changes));

export const syncQuery = z.strictObject({
  cursor: z
    .string()
    .min(1)
    .max(SYNC_CURSOR_CHARS_MAX)
    .regex(/^[A-Za-z0-9_-]*$/, 'must be the nextCursor of a sync')
    .optional()
    .describe('The nextCursor of the call before.'),
});

export const SyncedAnswer = z.object({
  found: z
    .int()
    .describe('Documents that the source has after the cursor: stored, unchanged, failed or left. At most 20,001.'),
  stored: z.int().describe('New or changed ones, which are items now.'),
  unchanged: z.int(),
  failed: z.int().describe('Documents that could not be read.'),
  failures: z
    .array(z.object({ ref: z.string(), code: z.string(), message: z.string() }))
    .describe('The first of them.'),
  left: z.int().describe('Documents that another call takes: at least so many.'),
  nextCursor: z.string().nullable().describe('Give it as cursor to that call; null when none is left.'),
  position: Position,
});
