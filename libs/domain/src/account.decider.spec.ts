import { describe, expect, it } from '@jest/globals';
import { ACCOUNTS_PER_WORKSPACE_MAX } from '@cairn/contracts';
import {
  decideConfigureAccount,
  decideConnectAccount,
  decideDisconnectAccount,
  type SealedAccount,
} from './account.decider.js';
import { admin, aWorkspace, by, carriedOut, id, INBOX, NOTES, scoped } from './given.builder.js';
import type { WorkspaceState } from './state.js';

const ACCOUNT = id(50);

const account = (n = 50, more: Partial<SealedAccount['command']> = {}): SealedAccount => ({
  command: {
    accountId: id(n),
    connectorId: 'folder',
    retention: 'hollow',
    hydrate: true,
    confirm: 'never',
    batchTokensMax: 4_000,
    multiAccount: true,
    ...more,
  },
  sealed: 'c2VhbGVk',
});

const connect = (state: WorkspaceState, what = account()): WorkspaceState =>
  carriedOut(state, decideConnectAccount(state, by(admin, what)));

const connected = connect(aWorkspace);
const same = (sealed: string): string => sealed;

describe('connecting an account', () => {
  it('is one op with all rules, in the default folder unless another one is named', () => {
    const [event] = decideConnectAccount(aWorkspace, by(admin, account())).events;
    expect(event).toEqual({
      type: 'connector.connected',
      data: {
        accountId: ACCOUNT,
        connectorId: 'folder',
        folderId: INBOX,
        retention: 'hollow',
        hydrate: true,
        confirm: 'never',
        batchTokensMax: 4_000,
        sealed: 'c2VhbGVk',
      },
    });
    const named = connect(aWorkspace, account(51, { folderId: NOTES }));
    expect(named.accounts.get(id(51))?.folderId).toBe(NOTES);
  });

  it('appends nothing when it is repeated', () => {
    expect(decideConnectAccount(connected, by(admin, account())).events).toEqual([]);
  });

  it('refuses a folder that the caller does not see', () => {
    const elsewhere = by(scoped(INBOX), account(51, { folderId: NOTES }));
    expect(() => decideConnectAccount(aWorkspace, elsewhere)).toThrow(
      expect.objectContaining({ code: 'folder.not_found' }),
    );
  });

  it('refuses a second account of a connector that allows one, until the first is disconnected', () => {
    const only = account(51, { multiAccount: false });
    expect(() => connect(connected, only)).toThrow(expect.objectContaining({ code: 'account.exists' }));
    const { events } = decideDisconnectAccount(connected, by(admin, { accountId: ACCOUNT }));
    expect(connect(carriedOut(connected, { events, entityId: ACCOUNT }), only).accounts.get(id(51))?.isConnected).toBe(
      true,
    );
  });

  it('refuses more accounts than a workspace may have', () => {
    const full = Array.from({ length: ACCOUNTS_PER_WORKSPACE_MAX }, (_, i) => account(100 + i)).reduce(
      connect,
      aWorkspace,
    );
    expect(() => connect(full)).toThrow(
      expect.objectContaining({ code: 'account.too_many', details: { limit: ACCOUNTS_PER_WORKSPACE_MAX } }),
    );
  });
});

describe('configuring an account', () => {
  it('records the changed fields, and nothing when none changed', () => {
    const change = { command: { accountId: ACCOUNT, hydrate: false, confirm: 'never' as const }, reseal: same };
    const decision = decideConfigureAccount(connected, by(admin, change));
    expect(decision.events).toEqual([{ type: 'connector.configured', data: { accountId: ACCOUNT, hydrate: false } }]);
    const after = carriedOut(connected, decision);
    expect(after.accounts.get(ACCOUNT)).toMatchObject({ hydrate: false, confirm: 'never', retention: 'hollow' });
    expect(decideConfigureAccount(after, by(admin, change)).events).toEqual([]);
  });

  it('carries the sealed part as a whole when it changes', () => {
    const change = { command: { accountId: ACCOUNT }, reseal: () => 'b3RoZXI=' };
    expect(decideConfigureAccount(connected, by(admin, change)).events).toEqual([
      { type: 'connector.configured', data: { accountId: ACCOUNT, sealed: 'b3RoZXI=' } },
    ]);
  });
});

describe('disconnecting an account', () => {
  const gone = carriedOut(connected, decideDisconnectAccount(connected, by(admin, { accountId: ACCOUNT })));

  it('is one op, after which the account looks like one that never existed', () => {
    expect(gone.accounts.get(ACCOUNT)).toMatchObject({ isConnected: false, sealed: '' });
    const missing = expect.objectContaining({ code: 'account.not_found' });
    expect(() => decideDisconnectAccount(gone, by(admin, { accountId: ACCOUNT }))).toThrow(missing);
    expect(() => decideDisconnectAccount(gone, by(admin, { accountId: id(77) }))).toThrow(missing);
    expect(() =>
      decideConfigureAccount(gone, by(admin, { command: { accountId: ACCOUNT, hydrate: true }, reseal: same })),
    ).toThrow(missing);
  });
});
