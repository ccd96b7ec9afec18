import { notFound, reachOf } from '@cairn/access';
import {
  ACCOUNTS_PER_WORKSPACE_MAX,
  fail,
  plural,
  type CommandData,
  type DomainEvent,
  type EventData,
} from '@cairn/contracts';
import { alreadyDone, decided, type Decidable, type Decision } from './decision.js';
import { visibleFolder } from './folder.decider.js';
import { fallbackFolder } from './item.decider.js';
import type { AccountState, WorkspaceState } from './state.js';

/** An `account.connect` after ingest has sealed label, settings and credential. */
export interface SealedAccount {
  readonly command: Omit<CommandData<'account.connect'>, 'label' | 'settings' | 'credential'>;
  readonly sealed: string;
}

/** An `account.configure`. The holder of the key decrypts the sealed part, and seals it again if it changes. */
export interface AccountChange {
  readonly command: Omit<CommandData<'account.configure'>, 'label' | 'settings' | 'credential'>;
  readonly reseal: (sealed: string) => string;
}

const checkRoom = (state: WorkspaceState, { connectorId, multiAccount }: SealedAccount['command']): void => {
  const accounts = [...state.accounts.values()].filter(({ isConnected }) => isConnected);
  if (accounts.length >= ACCOUNTS_PER_WORKSPACE_MAX) {
    const message = `a workspace has at most ${plural(ACCOUNTS_PER_WORKSPACE_MAX, 'account')}: disconnect one first`;
    throw fail('account.too_many', message, { limit: ACCOUNTS_PER_WORKSPACE_MAX });
  }
  if (!multiAccount && accounts.some((account) => account.connectorId === connectorId))
    throw fail('account.exists', 'a workspace has one account of this connector: change that one', {
      field: 'connectorId',
    });
};

export const decideConnectAccount = (
  state: WorkspaceState,
  { data: { command, sealed }, principal }: Decidable<SealedAccount>,
): Decision => {
  const { accountId, folderId, multiAccount: _, ...rules } = command;
  if (state.accounts.has(accountId)) return alreadyDone(accountId);
  checkRoom(state, command);
  const folder =
    folderId === undefined
      ? fallbackFolder(state, principal, 'folderId')
      : visibleFolder(state, reachOf(principal), folderId);
  return decided(accountId, {
    type: 'connector.connected',
    data: { accountId, ...rules, folderId: folder.id, sealed },
  });
};

/** A disconnected account looks like one that never existed. */
export const connectedAccount = (state: WorkspaceState, accountId: string): AccountState => {
  const account = state.accounts.get(accountId);
  if (account?.isConnected !== true) throw notFound('account');
  return account;
};

type Configured = EventData<'connector.configured'>;
type Rules = Omit<Configured, 'accountId'>;

const changedOf = (account: AccountState, wanted: Rules): Rules => {
  const before: Rules = account;
  const changed = Object.entries(wanted).filter(
    ([name, value]) => value !== undefined && value !== before[name as keyof Rules],
  );
  return Object.fromEntries(changed);
};

export const decideConfigureAccount = (
  state: WorkspaceState,
  { data: { command, reseal }, principal }: Decidable<AccountChange>,
): Decision => {
  const { accountId, ...wanted } = command;
  const account = connectedAccount(state, accountId);
  if (wanted.folderId !== undefined) visibleFolder(state, reachOf(principal), wanted.folderId);
  const changes = changedOf(account, { ...wanted, sealed: reseal(account.sealed) });
  if (Object.keys(changes).length === 0) return alreadyDone(accountId);
  return decided(accountId, { type: 'connector.configured', data: { accountId, ...changes } });
};

export const decideDisconnectAccount = (
  state: WorkspaceState,
  { data: { accountId } }: Decidable<CommandData<'account.disconnect'>>,
): Decision => {
  connectedAccount(state, accountId);
  const disconnected: DomainEvent = { type: 'connector.disconnected', data: { accountId } };
  return decided(accountId, disconnected);
};
