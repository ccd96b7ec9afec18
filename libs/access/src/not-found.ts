import { fail } from '@cairn/contracts';
import type { AppError, ErrorDetails } from '@cairn/kernel';

const MESSAGES = {
  item: 'there is no such item',
  chunk: 'there is no such chunk',
  folder: 'there is no such folder',
  token: 'there is no such token',
  op: 'there is no such op',
  receipt: 'there is no such receipt',
  confirmation: 'there is no such confirmation',
  correction: 'there is no such correction: call correct for a new one',
  server: 'there is no such server',
  memory: 'there is no such memory',
  link: 'there is no such link',
  account: 'there is no such account',
  entity: 'there is no such entity',
  edge: 'there is no such edge',
  merge: 'there is no such merge',
  resource: 'there is no such resource',
} as const;

/**
 * The same answer for a thing that does not exist and for one that the caller may not see; nothing in it may
 * distinguish the two. `details` names the input field that referred to the thing.
 */
export const notFound = (thing: keyof typeof MESSAGES, details: ErrorDetails = { field: 'id' }): AppError =>
  fail(`${thing}.not_found`, MESSAGES[thing], details);
