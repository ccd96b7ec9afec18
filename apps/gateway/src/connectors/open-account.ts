import type { ConnectedAccount } from '@cairn/connectors';
import { systemPrincipal, type QueryAnswer } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnClient } from '../cairn/cairn-client.js';

export type OpenedAccount = QueryAnswer<'account.open'>;

/** An account with its credential. The caller has already been checked; the installation makes this request. */
export type OpenAccount = (workspaceId: string, accountId: string) => Promise<OpenedAccount>;

/** The account as its connector reads it: the settings were validated when they were stored. */
export const connectedOf = ({ id, settings, credential }: OpenedAccount): ConnectedAccount<never> => ({
  id,
  settings: settings as never,
  credential,
});

/** No token may request a credential, not even an admin's. */
export const openAccountWith =
  (cairn: Pick<CairnClient, 'as'>): OpenAccount =>
  (workspaceId, accountId) =>
    cairn
      .as({ principal: systemPrincipal(workspaceId), rateLimitPerHour: null, correlationId: uuidV7() })
      .query('account.open', { accountId });
