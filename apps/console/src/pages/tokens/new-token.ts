import type { NewToken, Scope } from '../../api/answers.js';
import { instantOf, wholeNumber } from '../../ui/format.js';

/** The state of the form, still as text. */
export interface TokenDraft {
  readonly name: string;
  readonly agentId: string;
  readonly scopes: readonly Scope[];
  readonly reach: 'all' | 'folders';
  readonly folderIds: readonly string[];
  readonly rate: string;
  readonly restRate: string;
  readonly expiresAt: string;
}

export interface TokenCheck {
  readonly token?: NewToken;
  readonly problem?: { readonly field: keyof TokenDraft; readonly message: string };
}

/** The request body, or the first field to correct. The server validates again; this only saves a round trip. */
export const newTokenOf = (draft: TokenDraft): TokenCheck => {
  const refuse = (field: keyof TokenDraft, message: string): TokenCheck => ({ problem: { field, message } });
  const rateLimitPerHour = wholeNumber(draft.rate);
  const restLimitPerHour = wholeNumber(draft.restRate);
  const expiresAt = instantOf(draft.expiresAt);
  if (draft.scopes.length === 0) return refuse('scopes', 'Choose at least one.');
  if (draft.reach === 'folders' && draft.folderIds.length === 0) return refuse('folderIds', 'Choose at least one.');
  if (draft.reach === 'folders' && draft.scopes.includes('admin'))
    return refuse('scopes', 'An admin token sees the whole library.');
  if (rateLimitPerHour === undefined || rateLimitPerHour === 0)
    return refuse('rate', 'A whole number from 1, or nothing.');
  if (restLimitPerHour === undefined || restLimitPerHour === 0)
    return refuse('restRate', 'A whole number from 1, or nothing.');
  if (draft.expiresAt !== '' && expiresAt === undefined) return refuse('expiresAt', 'Not a date and time.');
  return {
    token: {
      name: draft.name.trim(),
      scopes: draft.scopes,
      isUnscoped: draft.reach === 'all',
      rateLimitPerHour,
      ...(restLimitPerHour === null ? {} : { restLimitPerHour }),
      ...(draft.agentId.trim() === '' ? {} : { agentId: draft.agentId.trim() }),
      ...(draft.reach === 'folders' ? { folderIds: draft.folderIds } : {}),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
  };
};
