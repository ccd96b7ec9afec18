import { Uuid } from '@cairn/contracts';
import type { RequestRefused } from './rest-client.js';

/** Why a request about an account was refused. An id that fits no account comes with the place that lists them. */
export const accountRefused = (accountId: string, { code, message }: RequestRefused): string => {
  const isUnknown = code === 'account.not_found' || !Uuid.safeParse(accountId).success;
  return `${accountId}: ${message}${isUnknown ? '; GET /api/v1/accounts lists the ids of the accounts' : ''}`;
};
