import { notFound } from '@cairn/access';
import {
  fail,
  SYSTEM_TOKEN_ID,
  type AccountSecrets,
  type AccountView,
  type CommandData,
  type QueryAnswer,
} from '@cairn/contracts';
import {
  decideConfigureAccount,
  decideConnectAccount,
  decideDisconnectAccount,
  type AccountChange,
  type AccountState,
  type SealedAccount,
} from '@cairn/domain';
import type { QueryContext } from './cairn-answer.fake.js';
import { at, plain, type Prepare } from './cairn-prepare.fake.js';
import type { InMemoryWorkspace } from './cairn-workspace.fake.js';

/** Nothing is secret here: JSON takes the place of sealed data. */
const opened = (sealed: string): AccountSecrets => JSON.parse(sealed) as AccountSecrets;

const sealAccount = (data: CommandData<'account.connect'>): SealedAccount => {
  const { label, settings, credential, ...command } = data;
  return { command, sealed: JSON.stringify({ label, settings, credential }) };
};

const changeAccount = (data: CommandData<'account.configure'>): AccountChange => {
  const { label, settings, credential, ...command } = data;
  const reseal = (sealed: string): string => {
    const before = opened(sealed);
    return JSON.stringify({
      label: label ?? before.label,
      settings: settings ?? before.settings,
      credential: credential === undefined ? before.credential : (credential ?? undefined),
    });
  };
  return { command, reseal };
};

type AccountCommand = 'account.connect' | 'account.configure' | 'account.disconnect';

export const ACCOUNT_COMMANDS: { readonly [T in AccountCommand]: Prepare<T> } = {
  'account.connect': (request) => ({
    decide: (state, atMs) => decideConnectAccount(state, at(request, sealAccount(request.data), atMs)),
    answer: ({ entityId: accountId }, position) => ({ accountId, position }),
  }),
  'account.configure': (request) => ({
    decide: (state, atMs) => decideConfigureAccount(state, at(request, changeAccount(request.data), atMs)),
    answer: ({ entityId: accountId }, position) => ({ accountId, position }),
  }),
  'account.disconnect': plain(decideDisconnectAccount, (accountId, position) => ({ accountId, position })),
};

const viewOf = ({ accounts }: InMemoryWorkspace, account: AccountState): QueryAnswer<'account.open'> => {
  const { id, isConnected: _, sealed, ...rules } = account;
  const { label, settings, credential = null } = opened(sealed);
  return {
    id,
    ...rules,
    label,
    settings,
    hasCredential: credential !== null,
    credential,
    createdAt: accounts.get(id)!,
  };
};

const withoutCredential = ({ credential: _, ...account }: QueryAnswer<'account.open'>): AccountView => account;

export const openAccount = ({ workspace, principal }: QueryContext, accountId: string): QueryAnswer<'account.open'> => {
  if (principal.tokenId !== SYSTEM_TOKEN_ID) throw fail('scope.missing', 'only Cairn itself opens accounts');
  return connectedIn(workspace, accountId);
};

const connectedIn = (workspace: InMemoryWorkspace, accountId: string): QueryAnswer<'account.open'> => {
  const account = workspace.state.accounts.get(accountId);
  if (account?.isConnected !== true) throw notFound('account');
  return viewOf(workspace, account);
};

export const getAccount = (workspace: InMemoryWorkspace, accountId: string): AccountView =>
  withoutCredential(connectedIn(workspace, accountId));

export const listAccounts = (workspace: InMemoryWorkspace): AccountView[] =>
  [...workspace.state.accounts.values()]
    .filter(({ isConnected }) => isConnected)
    .map((account) => withoutCredential(viewOf(workspace, account)));
