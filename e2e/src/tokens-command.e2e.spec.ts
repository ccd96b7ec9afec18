import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newToken, newWorkspace, rest, storeItem, underTest } from './under-test.js';

const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));

const READER = ['issue', 'x', '--scopes', 'read', '--unscoped'];

describe('cairn tokens', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-tokens-'));
  let admin: string;
  let notes: string;

  const cairn = (args: readonly string[], token = admin) => {
    const env = { ...process.env, CAIRN_HOME: home, CAIRN_URL: underTest.url, CAIRN_TOKEN: token };
    const child = spawn(process.execPath, [CAIRN, 'tokens', ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    let [out, err] = ['', ''];
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
      child.once('close', (code) => resolve({ code, out, err })),
    );
  };

  beforeAll(async () => {
    admin = (await newWorkspace()).token;
    notes = (await rest(admin, 'POST', '/folders', { slug: 'notes', name: 'Notes' })).body.id;
  });
  afterAll(() => rmSync(home, { recursive: true }));

  it('issues a working token for one folder, lists it, and revokes it', async () => {
    const inside = await storeItem(admin, { title: 'Inside', text: 'in the notes', folderId: notes });
    const outside = await storeItem(admin, { title: 'Outside', text: 'in the inbox' });
    const issued = await cairn(['issue', 'My agent', '--scopes', 'read, write', '--folders', 'notes', '--rate', '7']);
    expect([issued.code, issued.err]).toEqual([0, '']);
    const lines = issued.out.trim().split('\n');
    expect(issued.out).toContain('sees      only notes\nlimit     7 calls per hour\n');
    const [token, id] = [lines.at(-1)!, /My agent, (\S+)/.exec(issued.out)![1]!];
    const statuses = [inside, outside].map(async (item) => (await rest(token, 'GET', `/items/${item.id}`)).status);
    expect(await Promise.all(statuses)).toEqual([200, 404]);

    const listed = await cairn(['list']);
    expect(listed.out).toContain(`${id}  valid    until `);
    expect(listed.out).toContain('My agent  (read, write; 1 folder; 7 calls per hour; agent ');
    expect(listed.out).not.toContain(token.slice(-30));

    expect(await cairn(['revoke', id])).toEqual({ code: 0, out: `revoked ${id}\n`, err: '' });
    expect((await rest(token, 'GET', '/whoami')).status).toBe(401);
    expect((await cairn(['list'])).out).toContain(`${id}  revoked  until `);
  });

  it('prints the configuration of a client with the new token, and issues nothing for an unknown client', async () => {
    const issue = (client: string) => cairn(['issue', 'Editor', '--scopes', 'read', '--unscoped', '--client', client]);
    const refused = await issue('emacs');
    expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('the clients are claude-code,')]);
    expect((await cairn(['list'])).out).not.toContain('Editor');
    const { out } = await issue('windsurf');
    const { serverUrl, headers } = JSON.parse(out.slice(out.indexOf('{'))).mcpServers.cairn;
    expect(serverUrl).toBe(`${underTest.url}/mcp`);
    const token = headers.Authorization.replace('Bearer ', '');
    expect((await rest(token, 'GET', '/folders')).status).toBe(200);
  });

  it('prints JSON for scripts, and passes every option on', async () => {
    const expires = '2099-01-31T12:00:00.000Z';
    const options = [
      '--unscoped',
      '--agent',
      'a.1',
      '--kb-only',
      '--toolsets',
      'memory',
      '--rate',
      'none',
      '--rest-rate',
      '50',
    ];
    const args = ['issue', 'x', '--scopes', 'memory:read', ...options, '--expires', expires, '--json'];
    const issued = JSON.parse((await cairn(args)).out);
    expect(issued).toMatchObject({
      name: 'x',
      token: expect.stringMatching(/^cairn_/),
      scopes: ['memory:read'],
      isUnscoped: true,
      folderIds: [],
      agentId: 'a.1',
      kbOnly: true,
      toolsets: ['memory'],
      rateLimitPerHour: null,
      restLimitPerHour: 50,
      expiresAt: expires,
    });
    const { tokens } = JSON.parse((await cairn(['list', '--json'])).out);
    expect(tokens.map(({ id }: { id: string }) => id)).toContain(issued.id);
  });

  it.each([
    ['neither folders nor the whole workspace', ['issue', 'x', '--scopes', 'read'], '--folders or --unscoped'],
    ['both', ['issue', 'x', '--scopes', 'read', '--folders', 'notes', '--unscoped'], 'not both'],
    ['a folder that is not there', ['issue', 'x', '--scopes', 'read', '--folders', 'nots'], 'there is no folder nots'],
    ['an unknown scope', ['issue', 'x', '--scopes', 'reed', '--unscoped'], 'scopes[0] must be one of'],
    ['a rate that is not a number', ['issue', 'x', '--scopes', 'read', '--unscoped', '--rate', 'many'], '--rate takes'],
    ['a REST rate that is not a number', [...READER, '--rest-rate', 'many'], '--rest-rate takes'],
    ['a REST rate of 0', [...READER, '--rest-rate', '0'], 'restLimitPerHour must'],
    ['a rate of 0', ['issue', 'x', '--scopes', 'read', '--unscoped', '--rate', '0'], 'rateLimitPerHour must'],
    ['an unknown id', ['revoke', '0190a1b2-c3d4-7e5f-8a9b-0c1d2e3f4a5b'], 'there is no such token'],
    ['an id that is not a uuid', ['revoke', 'mine'], 'id must be a UUID'],
  ])('rejects %s in one line, and creates nothing', async (_, args, why) => {
    const count = async () => (await rest(admin, 'GET', '/tokens?limit=100')).body.items.length;
    const before = await count();
    const { code, out, err } = await cairn(args);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^cairn: (?!\w*(?:Error|Refused))[^\n]+\n$/);
    expect(err).toContain(why);
    expect(await count()).toBe(before);
  });

  it('reports which scope is missing, and an unreachable server', async () => {
    const reader = await newToken(admin, { scopes: ['read'] });
    expect((await cairn(['list'], reader)).err).toContain('the token lacks the scope admin');
    expect((await cairn(['list'], 'cairn_nothing')).err).toContain('the access token is not valid');
    const { code, err } = await cairn(['list', '--url', 'http://127.0.0.1:9']);
    expect([code, err]).toEqual([4, expect.stringContaining('is Cairn running?')]);
  });
});
