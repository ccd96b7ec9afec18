import { notFound } from '@cairn/access';
import type { CommandData } from '@cairn/contracts';
import {
  decideConfigureAccount,
  decideConnectAccount,
  decideDisconnectAccount,
  type AccountChange,
} from '@cairn/domain';
import type { ParsedRequest } from '@cairn/messaging';
import { openAccount, sealAccount, type ItemKeys } from '@cairn/vault';
import { anyFolderOf, at, type Command, type CommandServices, type PrepareContext } from './command.js';

/** Every account of the workspace: there are few, and their number is bounded. */
const ALL_ACCOUNTS = { accounts: true } as const;

export const connectAccount: Command<'account.connect'> = {
  generatedFields: ['accountId'],
  prepare: (request, { vault }) => {
    const { id: commandId, principal, data } = request;
    const { label, settings, credential, ...command } = data;
    const { workspaceId } = principal;
    const keys = vault.mint(workspaceId, command.accountId, []);
    const secrets = { label, settings, ...(credential !== undefined && { credential }) };
    const sealed = sealAccount(keys.item, workspaceId, command.accountId, secrets).toString('base64');
    return {
      needs: { ...ALL_ACCOUNTS, folders: anyFolderOf(principal) },
      decide: (state, atMs) => decideConnectAccount(state, { commandId, principal, atMs, data: { command, sealed } }),
      beforeAppend: () => vault.keep(workspaceId, command.accountId, keys),
      answer: ({ entityId, position }) => ({ accountId: entityId, position }),
    };
  },
};

type Configure = ParsedRequest<CommandData<'account.configure'>>;

/** Returns the same bytes if nothing changes, so a change without new values appends nothing. */
const resealWith =
  ({ data, principal: { workspaceId } }: Configure, { item: key }: ItemKeys): AccountChange['reseal'] =>
  (sealed) => {
    const { accountId, label, settings, credential } = data;
    const before = openAccount(key, workspaceId, accountId, Buffer.from(sealed, 'base64'));
    const { credential: kept, ...rest } = before;
    const now = credential === undefined ? kept : (credential ?? undefined);
    const after = {
      ...rest,
      ...(label !== undefined && { label }),
      ...(settings !== undefined && { settings }),
      ...(now !== undefined && { credential: now }),
    };
    if (JSON.stringify(after) === JSON.stringify(before)) return sealed;
    return sealAccount(key, workspaceId, accountId, after).toString('base64');
  };

/**
 * The key is needed only if a sealed field changes. A missing key means that the account does not exist, or no longer
 * does.
 */
const resealOf = async (request: Configure, { vault }: PrepareContext): Promise<AccountChange['reseal']> => {
  const { accountId, label, settings, credential } = request.data;
  if (label === undefined && settings === undefined && credential === undefined) return (sealed) => sealed;
  const keys = await vault.find(request.principal.workspaceId, accountId);
  if (!keys) throw notFound('account');
  return resealWith(request, keys);
};

export const configureAccount: Command<'account.configure'> = {
  prepare: async (request, context) => {
    const { id: commandId, principal, data } = request;
    const { label: _, settings: __, credential: ___, ...command } = data;
    const reseal = await resealOf(request, context);
    return {
      needs: { ...ALL_ACCOUNTS, folders: anyFolderOf(principal) },
      decide: (state, atMs) => decideConfigureAccount(state, { commandId, principal, atMs, data: { command, reseal } }),
      answer: ({ entityId, position }) => ({ accountId: entityId, position }),
    };
  },
};

/** The account is disconnected even if this fails; the sweeper tries again. */
const destroyKey = async (
  { principal, data: { accountId } }: ParsedRequest<CommandData<'account.disconnect'>>,
  { vault, logger }: CommandServices,
): Promise<void> => {
  await vault.destroy(principal.workspaceId, accountId).catch((thrown: unknown) => {
    logger.warn({ err: thrown, accountId }, 'the key of a disconnected account is not destroyed yet');
  });
};

export const disconnectAccount: Command<'account.disconnect'> = {
  prepare: (request) => ({
    needs: ALL_ACCOUNTS,
    decide: (state, atMs) => decideDisconnectAccount(state, at(request, atMs)),
    answer: ({ entityId, position }) => ({ accountId: entityId, position }),
  }),
  around: async (request, append, services) => {
    const result = await append();
    await destroyKey(request, services);
    return result;
  },
};
