import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { newWorkspace, rest, storeItem, underTest } from './under-test.js';

describe('tokens and workspaces', () => {
  let admin: string;

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
  });

  it('create a workspace once under an Idempotency-Key, and report that its secret was shown', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const body = { slug: `once-${randomUUID().slice(0, 8)}`, name: 'Once' };
    const create = () => rest(underTest.token, 'POST', '/workspaces', body, headers);
    const made = await create();
    expect(made.status).toBe(201);
    const again = await create();
    expect([again.status, again.body.error.code]).toEqual([409, 'idempotency.key_reused']);
    const own = await rest(made.body.adminToken, 'GET', '/tokens');
    expect(own.body.items).toHaveLength(1);
  });

  it('issue a token that sees nothing if neither folders nor the whole workspace is given', async () => {
    const { id } = await storeItem(admin, { title: 'Hidden', text: 'from a token without folders' });
    const { status, body } = await rest(admin, 'POST', '/tokens', { name: 'blind', scopes: ['read'] });
    expect([status, body.isUnscoped, body.folderIds]).toEqual([201, false, []]);
    expect((await rest(body.token, 'GET', '/items')).body.items).toEqual([]);
    expect((await rest(body.token, 'GET', `/items/${id}`)).status).toBe(404);
    expect((await rest(body.token, 'GET', '/folders')).body.items).toEqual([]);
  });

  it('reject an admin token for some folders only', async () => {
    const [folder] = (await rest(admin, 'GET', '/folders')).body.items;
    const grant = { name: 'half', scopes: ['admin'], folderIds: [folder.id] };
    const { status, body } = await rest(admin, 'POST', '/tokens', grant);
    expect([status, body.error.field]).toEqual([400, 'isUnscoped']);
  });

  it('show every part of the installation in the status', async () => {
    const { body } = await rest(admin, 'GET', '/status');
    const parts = body.components.map(({ name, ok }: { name: string; ok: boolean }) => [name, ok]);
    expect(parts).toEqual(
      expect.arrayContaining([
        ['gateway', true],
        ['ingest', true],
        ['postgres', true],
      ]),
    );
  });
});
