import { beforeEach, describe, expect, it } from '@jest/globals';
import { meshUri, SYNC_SUPERSEDED_MAX, systemPrincipal, type CommandData, type Retention } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { errorOf, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const credential = 'secret-4711';
const connectorId = 'folder';

export const describeAccounts = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  let admin: CairnPort;
  let system: CairnPort;

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
    admin = workspace.admin;
    system = open(systemPrincipal(workspace.id));
  });

  const connect = async (more: Partial<CommandData<'account.connect'>> = {}): Promise<string> => {
    const data = {
      accountId: uuidV7(),
      connectorId,
      label: 'Plans',
      retention: 'hollow' as const,
      hydrate: true,
      confirm: 'never' as const,
      batchTokensMax: 4_000,
      settings: { path: 'plans' },
      multiAccount: true,
      ...more,
    };
    return (await admin.command('account.connect', data)).accountId;
  };

  const sync = (accountId: string, more: Partial<CommandData<'item.sync'>> = {}) =>
    admin.command('item.sync', {
      accountId,
      ref: 'a.md',
      version: '1',
      retention: 'hollow',
      kind: 'file',
      title: 'Plan',
      text: 'A plan of the harbour.',
      ...more,
    });

  describe('an account', () => {
    it('is shown without its credential, and opened with it only for Cairn itself', async () => {
      const accountId = await connect({ credential });
      const account = await admin.query('account.get', { accountId });
      expect(account).toMatchObject({
        id: accountId,
        connectorId,
        label: 'Plans',
        folderId: workspace.inboxId,
        retention: 'hollow',
        settings: { path: 'plans' },
        hasCredential: true,
      });
      const { items } = await admin.query('accounts.list', { limit: 10 });
      expect(items).toEqual([account]);
      expect(JSON.stringify(items)).not.toContain('4711');
      expect(await system.query('account.open', { accountId })).toEqual({ ...account, credential });
    });

    it('is opened for no token, not even an admin’s', async () => {
      const accountId = await connect({ credential });
      expect((await errorOf(admin.query('account.open', { accountId }))).code).toBe('scope.missing');
    });

    it('changes the named fields and keeps the rest', async () => {
      const accountId = await connect({ credential });
      await admin.command('account.configure', { accountId, label: 'Renamed', confirm: 'always' });
      const opened = await system.query('account.open', { accountId });
      expect(opened).toMatchObject({ label: 'Renamed', confirm: 'always', settings: { path: 'plans' }, credential });
      await admin.command('account.configure', { accountId, credential: null, settings: { path: 'b' } });
      expect(await system.query('account.open', { accountId })).toMatchObject({
        label: 'Renamed',
        settings: { path: 'b' },
        hasCredential: false,
        credential: null,
      });
    });

    it('is unknown in another workspace and once it is disconnected', async () => {
      const accountId = await connect();
      const { admin: stranger } = await TestWorkspace.create(open);
      const works = (port: CairnPort) => [
        () => port.query('account.get', { accountId }),
        () => port.query('account.known', { accountId, documents: [] }),
        () => port.command('account.configure', { accountId, hydrate: false }),
        () => port.command('account.configure', { accountId, label: 'Other' }),
        () => port.command('account.disconnect', { accountId }),
      ];
      for (const work of works(stranger)) expect((await errorOf(work())).code).toBe('account.not_found');
      await admin.command('account.disconnect', { accountId });
      for (const work of works(admin)) expect((await errorOf(work())).code).toBe('account.not_found');
      expect((await admin.query('accounts.list', { limit: 10 })).items).toEqual([]);
    });
  });

  describe('a document of an account', () => {
    const known = async (accountId: string, version: string) =>
      (await admin.query('account.known', { accountId, documents: [{ ref: 'a.md', version }] })).refs;

    it('is stored once per state, and a later state replaces the earlier one', async () => {
      const accountId = await connect();
      expect(await known(accountId, '1')).toEqual([]);
      const first = await sync(accountId);
      expect(first).toMatchObject({ outcome: 'stored', looserIds: [] });
      expect(await known(accountId, '1')).toEqual(['a.md']);
      expect(await sync(accountId)).toMatchObject({ outcome: 'unchanged', itemId: first.itemId });
      const second = await sync(accountId, { version: '2', text: 'Another plan.' });
      expect(await known(accountId, '1')).toEqual([]);
      expect(await admin.query('item.get', { itemId: first.itemId, surface: 'rest' })).toMatchObject({
        superseded: true,
        supersededById: second.itemId,
      });
      expect(await admin.query('item.get', { itemId: second.itemId, surface: 'rest' })).toMatchObject({
        retention: 'hollow',
        meshUri: meshUri({ connectorId, accountId, itemId: second.itemId }),
        source: { kind: 'connector', name: 'a.md' },
      });
    });

    it('keeps the name that its source gives it, to the byte', async () => {
      const accountId = await connect();
      const refs = ['cafe\u0301.md', 'caf\u00e9.md'];
      for (const ref of refs) {
        const { outcome, itemId } = await sync(accountId, { ref });
        const { ref: located } = await admin.query('mesh.locate', { connectorId, accountId, itemId });
        expect([outcome, located]).toEqual(['stored', ref]);
      }
      const documents = refs.map((ref) => ({ ref, version: '1' }));
      expect((await admin.query('account.known', { accountId, documents })).refs).toEqual(refs);
    });

    it('leads from every earlier state to the newest one, however often it has changed', async () => {
      const accountId = await connect();
      const ids: string[] = [];
      for (let n = 0; n < 2 * SYNC_SUPERSEDED_MAX + 5; n++)
        ids.push((await sync(accountId, { version: `${n}`, text: `Plan ${n}.` })).itemId);
      const heads = async () => {
        const shown = [0, 3, SYNC_SUPERSEDED_MAX + 3].map((n) => ids[n]!);
        const items = await Promise.all(shown.map((itemId) => admin.query('item.get', { itemId, surface: 'rest' })));
        return [...new Set(items.map(({ supersededById }) => supersededById))];
      };
      expect(await heads()).toEqual([ids.at(-1)]);
      // The first of these is where the oldest state leads at first, the second is the newest state.
      for (const itemId of [ids[SYNC_SUPERSEDED_MAX]!, ids.pop()!])
        await admin.command('item.forget', { itemId, surface: 'rest' });
      expect(await heads()).toEqual([ids.at(-1)]);
    }, 60_000);

    it('names the items that hold more than the account allows now, and is not known before they are forgotten', async () => {
      const accountId = await connect({ retention: 'full' });
      const older = await sync(accountId, { retention: 'full' });
      const old = await sync(accountId, { retention: 'full', version: '2' });
      await admin.command('account.configure', { accountId, retention: 'metadata' });
      expect((await errorOf(sync(accountId, { retention: 'full', version: '3' }))).code).toBe('account.changed');
      const { looserIds } = await sync(accountId, { retention: 'metadata', version: '2' });
      expect(looserIds).toEqual([old.itemId, older.itemId]);
      expect(await known(accountId, '2')).toEqual([]);
      for (const itemId of looserIds) await admin.command('item.forget', { itemId, surface: 'rest' });
      expect(await known(accountId, '2')).toEqual(['a.md']);
    });
  });

  describe('the text of an item at its source', () => {
    const located = async (retention: Retention, more: Partial<CommandData<'account.connect'>> = {}) => {
      const accountId = await connect({ retention, ...more });
      const { itemId } = await sync(accountId, { retention });
      return { connectorId, accountId, itemId };
    };

    it('is located with the rules of its account', async () => {
      const address = await located('hollow', { batchTokensMax: 9, confirm: 'always', hydrate: false });
      expect(await admin.query('mesh.locate', address)).toMatchObject({
        itemId: address.itemId,
        folderId: workspace.inboxId,
        title: 'Plan',
        inKb: true,
        retention: 'hollow',
        text: null,
        ref: 'a.md',
        account: { hydrate: false, confirm: 'always', batchTokensMax: 9 },
        confirmation: 'none',
        nonce: null,
        maxTokens: null,
        dailyTokensMax: 200_000,
      });
      await admin.command('quota.set', { name: 'mesh_daily_tokens', limit: null });
      await admin.command('account.disconnect', { accountId: address.accountId });
      expect(await admin.query('mesh.locate', address)).toMatchObject({ account: null, dailyTokensMax: null });
    });

    it('is the stored text if all of it is stored, and nothing at all if the item is dark', async () => {
      expect(await admin.query('mesh.locate', await located('full'))).toMatchObject({ text: 'A plan of the harbour.' });
      expect(await admin.query('mesh.locate', await located('dark'))).toMatchObject({ text: null, ref: null });
    });

    it('exists only under its own address, for callers that see the item', async () => {
      const address = await located('hollow');
      const other = await connect();
      const elsewhere = workspace.scopedTo([await workspace.folder('elsewhere')]);
      for (const [port, wrong] of [
        [admin, { ...address, accountId: other }],
        [admin, { ...address, connectorId: 'url' }],
        [admin, { ...address, itemId: uuidV7() }],
        [elsewhere, address],
      ] as const)
        expect((await errorOf(port.query('mesh.locate', wrong))).code).toBe('item.not_found');
      const confirming = admin.query('mesh.confirm', { ...address, accountId: other });
      expect((await errorOf(confirming)).code).toBe('item.not_found');
    });

    it('is confirmed for one address and one agent, and for as many tokens as were approved', async () => {
      const [address, other] = [await located('hollow'), await located('metadata')];
      const look = async (token: string, at = address, port = admin) => {
        const { confirmation, maxTokens } = await port.query('mesh.locate', { ...at, token });
        return [confirmation, maxTokens];
      };
      const any = await admin.query('mesh.confirm', address);
      expect(Date.parse(any.expiresAt)).toBeGreaterThan(0);
      expect(await look(any.token)).toEqual(['valid', null]);
      expect(await look(any.token, other)).toEqual(['invalid', null]);
      expect(await look('x.1.x.aaaaaaaaaaaaaaaaaaaa.00')).toEqual(['invalid', null]);
      const bound = await admin.query('mesh.confirm', { ...address, agentId: 'bob', maxTokens: 5 });
      expect(await look(bound.token)).toEqual(['invalid', null]);
      expect(await look(bound.token, address, workspace.as({ agentId: 'bob' }))).toEqual(['valid', 5]);
    });
  });
};
