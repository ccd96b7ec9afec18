import { describe, expect, it } from '@jest/globals';
import { SUPERSEDED_TOGETHER_MAX, SYNC_SUPERSEDED_MAX, type DomainEvent, type Retention } from '@cairn/contracts';
import { decideConfigureAccount, decideConnectAccount } from './account.decider.js';
import { admin, after, aWorkspace, by, carriedOut, id, INBOX } from './given.builder.js';
import type { SealedItem } from './item.decider.js';
import { mirrorKey, type WorkspaceState } from './state.js';
import { decideSyncItem, type Synced, type SyncedItem } from './sync.decider.js';

const ACCOUNT = id(50);

const connected = carriedOut(
  aWorkspace,
  decideConnectAccount(
    aWorkspace,
    by(admin, {
      command: {
        accountId: ACCOUNT,
        connectorId: 'folder',
        retention: 'full',
        hydrate: true,
        confirm: 'never',
        batchTokensMax: 4_000,
        multiAccount: true,
      },
      sealed: 'c2VhbGVk',
    }),
  ),
);

const keeping = (state: WorkspaceState, retention: Retention): WorkspaceState =>
  carriedOut(
    state,
    decideConfigureAccount(
      state,
      by(admin, { command: { accountId: ACCOUNT, retention }, reseal: (sealed: string) => sealed }),
    ),
  );

const item = (n: number): SealedItem => ({
  itemId: id(n),
  command: {
    kind: 'file',
    inKb: true,
    confidence: 100,
    expiresAt: null,
    surface: 'rest',
    source: { kind: 'connector' },
  },
  meta: 'bWV0YQ==',
  chunks: [{ chunkId: id(n + 500), ordinal: 0, text: 'dGV4dA==', textHash: 'ab', tokens: 3 }],
});

const document = (n: number, version: string, retention: Retention = 'full', key = 'a.md'): SyncedItem => ({
  command: { accountId: ACCOUNT, retention },
  item: item(n),
  document: { key, version: `${retention} ${version}` },
});

const forgotten = (itemId: string): DomainEvent => ({
  type: 'item.forgotten',
  data: { itemId, folderId: INBOX, receiptId: id(999), chunkIds: [], erased: [], more: false },
});

const decide = (state: WorkspaceState, what: SyncedItem): Synced => decideSyncItem(state, by(admin, what));
const synced = (state: WorkspaceState, what: SyncedItem): WorkspaceState => carriedOut(state, decide(state, what));
const typesOf = ({ events }: Synced): string[] => events.map(({ type }) => type);

const once = synced(connected, document(60, '1'));

describe('syncing a document', () => {
  it('stores it in the folder of the account, once per state', () => {
    const first = decide(connected, document(60, '1'));
    expect([first.outcome, first.looserIds]).toEqual(['stored', []]);
    expect(first.events).toMatchObject([
      { type: 'item.stored', data: { folderId: INBOX, accountId: ACCOUNT, retention: 'full', externalKey: 'a.md' } },
    ]);
    const again = decide(once, document(61, '1'));
    expect(again).toMatchObject({ outcome: 'unchanged', entityId: id(60), events: [] });
  });

  it('replaces its earlier state in the same append, and does not touch other documents', () => {
    const changed = decide(once, document(61, '2'));
    expect(typesOf(changed)).toEqual(['item.stored', 'item.superseded']);
    expect(carriedOut(once, changed).items.get(id(60))?.supersededById).toBe(id(61));
    expect(typesOf(decide(once, document(61, '2', 'full', 'b.md')))).toEqual(['item.stored']);
  });

  it('replaces the newest of any number of states, and redirects only the nearest of the earlier ones', () => {
    const count = SUPERSEDED_TOGETHER_MAX + 1;
    const model = once.items.get(id(60))!;
    const ids = Array.from({ length: count }, (_, n) => id(10_000 + n));
    const items = ids.map(
      (itemId, n) => [itemId, { ...model, id: itemId, supersededById: ids[n + 1] ?? null }] as const,
    );
    const states = ids.map((itemId, n) => ({ itemId, version: `full ${n}`, retention: 'full' as const }));
    const mirrors = new Map([[mirrorKey(ACCOUNT, 'a.md'), states.reverse()]]);
    const { events } = decide({ ...once, items: new Map(items), mirrors }, document(61, 'changed'));
    expect(events).toMatchObject([
      { type: 'item.stored' },
      { type: 'item.superseded', data: { itemId: ids.at(-1), byItemId: id(61), headId: id(61) } },
    ]);
    const { updatedIds } = (events[1] as Extract<DomainEvent, { type: 'item.superseded' }>).data;
    expect(updatedIds).toEqual(ids.slice(-SYNC_SUPERSEDED_MAX).reverse());
  });

  it('names every earlier item that holds more than the account allows now, until they are forgotten', () => {
    const tighter = keeping(synced(once, document(61, '2')), 'metadata');
    const demoted = decide(tighter, document(62, '2', 'metadata'));
    expect(demoted.looserIds).toEqual([id(61), id(60)]);
    const repeated = decide(carriedOut(tighter, demoted), document(63, '2', 'metadata'));
    expect([repeated.outcome, repeated.looserIds]).toEqual(['unchanged', [id(61), id(60)]]);
    const left = after(carriedOut(tighter, demoted), [forgotten(id(60)), forgotten(id(61))]);
    expect(decide(left, document(63, '2', 'metadata')).looserIds).toEqual([]);
  });

  it('forgets nothing when the account keeps more than before', () => {
    const hollow = synced(keeping(connected, 'hollow'), document(60, '1', 'hollow'));
    const { outcome, looserIds } = decide(keeping(hollow, 'full'), document(61, '1'));
    expect([outcome, looserIds]).toEqual(['stored', []]);
  });

  it('stores a document again once its item is forgotten', () => {
    const gone = after(once, [forgotten(id(60))]);
    expect(typesOf(decide(gone, document(61, '1')))).toEqual(['item.stored']);
  });

  it('refuses a text that was made under another retention than the account has, and an unknown account', () => {
    expect(() => decide(keeping(once, 'dark'), document(61, '2'))).toThrow(
      expect.objectContaining({ code: 'account.changed' }),
    );
    expect(() => decide(aWorkspace, document(61, '1'))).toThrow(expect.objectContaining({ code: 'account.not_found' }));
  });
});
