import { beforeEach, describe, expect, it } from '@jest/globals';
import { REST_PER_HOUR_DEFAULT } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from './cairn.port.js';
import { errorOf, itemData, search, TestWorkspace, type OpenCairn } from './cairn-workspace.builder.js';

const surface = 'rest';

/** Every request that names one item or one of its chunks. */
const REQUESTS: Record<string, (port: CairnPort, itemId: string, chunkId: string) => Promise<unknown>> = {
  'item.get': (port, itemId) => port.query('item.get', { itemId, surface }),
  'item.update': (port, itemId) => port.command('item.update', { itemId, title: 'x' }),
  'item.supersede': (port, oldId) => port.command('item.supersede', { oldId, newId: oldId }),
  'item.forget': (port, itemId) => port.command('item.forget', { itemId, surface }),
  'chunk.forget': (port, _, chunkId) => port.command('chunk.forget', { chunkId, surface }),
  'chunk.propose': (port, _, chunkId) =>
    port.command('chunk.propose', { chunkId, instruction: 'x', newText: 'The keeper sleeps.' }),
};

export const describeAccess = (open: OpenCairn): void => {
  let workspace: TestWorkspace;
  let folderId: string;
  let reader: CairnPort;

  beforeEach(async () => {
    workspace = await TestWorkspace.create(open);
    folderId = await workspace.folder('notes');
    reader = workspace.scopedTo([folderId]);
  });

  const listed = async (port: CairnPort): Promise<string[]> =>
    (await port.query('items.list', { limit: 50, surface })).items.map(({ id }) => id);

  describe('an item in a folder that the caller may not see', () => {
    it.each(Object.entries(REQUESTS))('looks to %s like an item that does not exist', async (_, request) => {
      const { itemId, chunkIds } = await workspace.store();
      const hidden = await errorOf(request(reader, itemId, chunkIds[0]!));
      expect(hidden).toEqual(await errorOf(request(reader, uuidV7(), uuidV7())));
      expect(hidden.code).toMatch(/\.not_found$/);
    });

    it('is neither listed nor found, unlike the caller’s own items', async () => {
      await workspace.store();
      const { itemId } = await workspace.store({}, reader);
      expect(await listed(reader)).toEqual([itemId]);
      expect(await search(reader, 'wick')).toMatchObject([{ itemId, folderId }]);
      expect(await listed(workspace.admin)).toHaveLength(2);
    });
  });

  it('hides an item of another workspace from the admin of this one', async () => {
    const { itemId } = await workspace.store();
    const { admin: stranger } = await TestWorkspace.create(open);
    const get = stranger.query('item.get', { itemId, surface });
    expect(await errorOf(get)).toEqual({ code: 'item.not_found', details: { field: 'id' } });
    expect(await listed(stranger)).toEqual([]);
    expect(await search(stranger, 'wick')).toEqual([]);
  });

  it('hides items outside the knowledge base from a caller that is limited to it', async () => {
    const { itemId } = await workspace.store({ inKb: false });
    const kbOnly = workspace.as({ kbOnly: true });
    expect(await errorOf(REQUESTS['item.get']!(kbOnly, itemId, ''))).toMatchObject({ code: 'item.not_found' });
    expect(await listed(kbOnly)).toEqual([]);
    expect(await errorOf(workspace.store({ inKb: false }, kbOnly))).toMatchObject({ code: 'item.kb_only' });
  });

  describe('a sensitive folder', () => {
    let itemId: string;
    let secretId: string;

    beforeEach(async () => {
      secretId = await workspace.folder('vault', { tier: 'sensitive' });
      ({ itemId } = await workspace.store({ folderId: secretId }));
    });

    it('is shown to an admin over REST, and to no one over MCP', async () => {
      const get = (port: CairnPort, over: 'mcp' | 'rest') => port.query('item.get', { itemId, surface: over });
      expect(await get(workspace.admin, 'rest')).toMatchObject({ folderId: secretId });
      expect(await errorOf(get(workspace.admin, 'mcp'))).toMatchObject({ code: 'item.not_found' });
      expect(await errorOf(get(workspace.scopedTo([secretId]), 'rest'))).toMatchObject({ code: 'item.not_found' });
      expect(await search(workspace.admin, 'wick')).toEqual([]);
    });

    it('is in no folder list over MCP', async () => {
      const slugs = async (over: 'mcp' | 'rest') => {
        const { items } = await workspace.admin.query('folders.list', { limit: 50, surface: over });
        return items.map(({ slug }) => slug).sort();
      };
      expect(await slugs('mcp')).toEqual(['inbox', 'notes']);
      expect(await slugs('rest')).toEqual(['inbox', 'notes', 'vault']);
      const { folders } = await workspace.admin.query('stats.get', {});
      expect(folders.map(({ slug }) => slug)).toEqual(['inbox', 'notes']);
    });

    it('refuses to forget its items over MCP', async () => {
      const forget = workspace.admin.command('item.forget', { itemId, surface: 'mcp' });
      expect(await errorOf(forget)).toMatchObject({ code: 'forget.sensitive' });
    });
  });

  describe('a caller with a list of folders', () => {
    it('stores in its only folder, and must name one of several', async () => {
      const { itemId } = await workspace.store({}, reader);
      expect(await reader.query('item.get', { itemId, surface })).toMatchObject({ folderId });
      const several = workspace.scopedTo([folderId, await workspace.folder('more')]);
      expect(await errorOf(workspace.store({}, several))).toMatchObject({ code: 'folder.required' });
    });

    it('sees its folders only, and cannot store in another', async () => {
      const { items } = await reader.query('folders.list', { limit: 50, surface });
      expect(items.map(({ slug }) => slug)).toEqual(['notes']);
      const get = reader.query('folder.get', { folderId: workspace.inboxId, surface });
      expect(await errorOf(get)).toEqual({ code: 'folder.not_found', details: { field: 'id' } });
      const store = reader.command('item.store', itemData({ folderId: workspace.inboxId }));
      expect(await errorOf(store)).toMatchObject({ code: 'folder.not_found' });
    });
  });

  describe('folders', () => {
    it('are created, configured and read, and a slug can be taken only once', async () => {
      const { admin } = workspace;
      await admin.command('folder.configure', { folderId, name: 'My notes', readme: 'About notes', tier: 'public' });
      const folder = await admin.query('folder.get', { folderId, surface });
      expect(folder).toMatchObject({ slug: 'notes', name: 'My notes', readme: 'About notes', tier: 'public' });
      expect(await errorOf(workspace.folder('notes'))).toMatchObject({ code: 'folder.slug_taken' });
    });

    it('are counted in the statistics', async () => {
      await workspace.store({ folderId });
      await workspace.store({ inKb: false });
      const { workspaceSlug, folders } = await workspace.admin.query('stats.get', {});
      expect(workspaceSlug).toBe(workspace.slug);
      expect(folders).toMatchObject([
        { slug: 'inbox', items: 0, chunks: 0, tokens: 0 },
        { slug: 'notes', items: 1, chunks: 1, tokens: expect.any(Number) },
      ]);
    });
  });

  describe('tokens', () => {
    const secretHash = 'b'.repeat(64);

    it('are resolved to their principal until they are revoked', async () => {
      const { admin, id: workspaceId } = workspace;
      const grant = workspace.grant({ isUnscoped: false, folderIds: [folderId], secretHash });
      const { tokenId } = await admin.command('token.issue', grant);
      const { agentId, scopes, kbOnly, rateLimitPerHour } = grant;
      const principal = { workspaceId, tokenId, agentId, scopes, isUnscoped: false, folderIds: [folderId], kbOnly };
      const resolve = (hash = secretHash) => admin.query('token.resolve', { tokenId, secretHash: hash });
      expect(await resolve()).toMatchObject({ principal, rateLimitPerHour });
      expect(await resolve('c'.repeat(64))).toBeNull();
      const ended = async () => (await admin.query('tokens.ended', { tokenIds: [tokenId, uuidV7()] })).tokenIds;
      expect(await ended()).toEqual([]);
      await admin.command('token.revoke', { tokenId });
      expect([await resolve(), await ended()]).toEqual([null, [tokenId]]);
      const { items } = await admin.query('tokens.list', { limit: 50 });
      expect(items.find(({ id }) => id === tokenId)).toMatchObject({ revokedAt: expect.any(String) });
    });

    it.each([
      ['the limit of REST requests that they were issued with', { restLimitPerHour: 5 }, 5],
      ['no limit of REST requests if they were issued with none', { restLimitPerHour: null }, null],
      ['the default limit of REST requests', {}, REST_PER_HOUR_DEFAULT],
      ['no limit of REST requests by default for the scope admin', { scopes: ['admin' as const] }, null],
    ])('have %s', async (_, more, restLimitPerHour) => {
      const { admin } = workspace;
      const { tokenId } = await admin.command('token.issue', workspace.grant({ ...more, secretHash }));
      expect(await admin.query('token.resolve', { tokenId, secretHash })).toMatchObject({ restLimitPerHour });
      const { items } = await admin.query('tokens.list', { limit: 50 });
      expect(items.find(({ id }) => id === tokenId)).toMatchObject({ restLimitPerHour });
    });

    it.each([
      ['an unknown folder', { isUnscoped: false, folderIds: [uuidV7()] }, 'folder.not_found'],
      ['the scope admin with a list of folders', { isUnscoped: false, scopes: ['admin' as const] }, 'input.invalid'],
      ['an expiry in the past', { expiresAt: '2020-01-01T00:00:00.000Z' }, 'input.invalid'],
    ])('are not issued for %s', async (_, more, code) => {
      expect(await errorOf(workspace.admin.command('token.issue', workspace.grant(more)))).toMatchObject({ code });
    });

    it('cannot be revoked when they do not exist', async () => {
      const revoke = workspace.admin.command('token.revoke', { tokenId: uuidV7() });
      expect(await errorOf(revoke)).toMatchObject({ code: 'token.not_found' });
    });
  });
};
