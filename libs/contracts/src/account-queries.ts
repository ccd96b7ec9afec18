import { z } from 'zod';
import { Id, pageOf, Time, type Wire } from './answer.js';
import { AccountCredential, AccountSettings, ConfirmRule } from './connector-words.js';
import { Retention } from './graph-words.js';
import { defineQuery, page } from './query-definition.js';
import { Uuid } from './text.js';

/** An account as shown to its owner, always without the credential. */
export const AccountView = z.object({
  id: Id,
  connectorId: z.string(),
  label: z.string(),
  folderId: Id.describe('Where items of this account are stored.'),
  retention: Retention.describe(
    'How much of a text is stored. The tightest of the connector’s and the account’s rule.',
  ),
  hydrate: z.boolean().describe('Whether texts may be fetched from the source when they are asked for.'),
  confirm: ConfirmRule.describe('always: each fetch needs a confirmation of a person.'),
  batchTokensMax: z.int().describe('A text that would cost more tokens is not fetched.'),
  settings: AccountSettings,
  hasCredential: z.boolean(),
  createdAt: Time,
});
export type AccountView = Wire<typeof AccountView>;

export const ListAccounts = defineQuery('accounts.list', z.strictObject(page), pageOf(AccountView));
export const GetAccount = defineQuery('account.get', z.strictObject({ accountId: Uuid }), AccountView);

/** The account with its credential. Answered only for the gateway, which passes it to the connector. Never logged. */
export const OpenAccount = defineQuery(
  'account.open',
  z.strictObject({ accountId: Uuid }),
  AccountView.extend({ credential: AccountCredential.nullable() }),
);
