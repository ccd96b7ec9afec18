import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ServiceProcess } from '@cairn/local-servers';
import { BARE_CALLS, BARE_ERAS, embedded, newToken, newWorkspace, rest, rpc, underTest } from './under-test.js';

const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const TOOL = 'carabase_resolve_mesh_uri';
const BODY = '# Harbour plan\n\nThe harbour opens in May. A crane named Osprey lifts the hulls.\n';

let admin: string;
let agent: string;
let path: string;

beforeAll(async () => {
  admin = (await newWorkspace()).token;
  agent = await newToken(admin, { scopes: ['graph:read', 'read'], agentId: 'reader' });
  path = mkdtempSync(join(underTest.connectorRoot, 'mesh-'));
  mkdirSync(join(path, 'plans'));
  writeFileSync(join(path, 'plans', 'harbour.md'), BODY);
});

interface Placed {
  readonly accountId: string;
  readonly uri: string;
  readonly itemId: string;
}

const connect = async (more: object = {}): Promise<string> => {
  const account = { connectorId: 'folder', label: 'Plans', settings: { path }, ...more };
  const { status, body } = await rest(admin, 'POST', '/accounts', account);
  expect(status).toBe(201);
  return body.id;
};

const sync = async (accountId: string) => (await rest(admin, 'POST', `/accounts/${accountId}/sync`)).body;

/** The item of the account's only file. */
const itemOf = async (accountId: string): Promise<Placed & { readonly item: any }> => {
  const { items } = (await rest(admin, 'GET', '/items?limit=100')).body;
  for (const { id } of items) {
    const { body } = await rest(admin, 'GET', `/items/${id}`);
    if (body.meshUri?.includes(accountId)) return { accountId, uri: body.meshUri, itemId: id, item: body };
  }
  throw new Error('no item of the account');
};

const placed = async (more: object = {}) => {
  const accountId = await connect({ retention: 'hollow', ...more });
  await sync(accountId);
  return itemOf(accountId);
};

const resolve = async (uri: string, era = BARE_ERAS[0]!, token = agent) =>
  (await BARE_CALLS[era]!(token, TOOL, { uri })).body.result;
const codeOf = async (uri: string, era?: string, token?: string): Promise<string> =>
  (await resolve(uri, era, token)).structuredContent.code ?? 'ok';

const FAILURES: readonly (readonly [code: string, change: object, quota: number])[] = [
  ['mesh.account_off', { hydrate: false }, 200_000],
  ['mesh.confirmation_required', { confirm: 'always' }, 200_000],
  ['mesh.batch_too_large', { batchTokensMax: 2 }, 200_000],
  ['mesh.budget_spent', {}, 2],
];
const setQuota = (limit: number | null) => rest(admin, 'PUT', '/quotas/mesh_daily_tokens', { limit });

describe.each(BARE_ERAS)('a mesh URI in the %s', (era) => {
  it.each(['hollow', 'metadata'])(
    '[C-36][C-37][C-39] returns the text of a %s item, which is not stored',
    async (retention) => {
      const { uri, itemId, item } = await placed({ retention });
      expect(item).toMatchObject({ retention, meshUri: uri });
      if (retention === 'metadata') expect(item.content).not.toContain('Osprey');
      const { structuredContent, isError } = await resolve(uri, era);
      expect(isError).toBeFalsy();
      expect(structuredContent).toMatchObject({
        compacted: false,
        retention,
        provenance: { connector: 'folder', uri, fetched_at: expect.stringMatching(/^\d{4}-.*Z$/) },
      });
      expect(structuredContent.text).toContain('A crane named Osprey lifts the hulls.');
      const after = (await rest(admin, 'GET', `/items/${itemId}`)).body;
      expect(after.content).toBe(item.content);
    },
  );

  it('is in the hits of a search and in the artifact if the text is kept at its source', async () => {
    const own = mkdtempSync(join(underTest.connectorRoot, 'found-'));
    writeFileSync(join(own, `${era}.md`), `# Zanzibar ferry\n\nThe ferry to Zanzibar of the ${era} leaves at noon.\n`);
    const { uri, itemId } = await placed({ settings: { path: own } });
    await embedded(admin, itemId);
    const args = { query: `ferry to Zanzibar of the ${era}`, k: 50 };
    const { body } = await BARE_CALLS[era]!(agent, 'carabase_search_semantic', args);
    const hit = body.result.structuredContent.hits.find(({ memory_id }: any) => memory_id === itemId);
    expect(hit.mesh_uri).toBe(uri);
    const request = { jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri: hit.artifact } };
    const { contents } = (await rpc(agent, request)).body.result;
    expect(contents[0].text).toContain(uri);
    expect(contents[0]._meta).toMatchObject({ 'cairn/mesh_uri': uri });
  });

  it('[C-38] returns at most 4,000 tokens of a long text', async () => {
    const long = mkdtempSync(join(underTest.connectorRoot, 'long-'));
    writeFileSync(join(long, 'long.txt'), Array.from({ length: 9_000 }, (_, i) => `word${i % 7}`).join(' '));
    const { uri } = await placed({ settings: { path: long }, retention: 'metadata' });
    const { compacted, tokens } = (await resolve(uri, era)).structuredContent;
    expect(compacted).toBe(true);
    expect(tokens).toBeLessThanOrEqual(4_000);
  });

  it.each(FAILURES)('[C-41] is rejected with %s when that check fails first', async (code, change, quota) => {
    const { uri } = await placed(change);
    await setQuota(quota);
    expect(await codeOf(uri, era)).toBe(code);
    await setQuota(200_000);
  });

  it.each(FAILURES.map(([code], i) => [code, i] as const))(
    '[C-41] is rejected with %s when every later check fails too',
    async (code, i) => {
      const later = FAILURES.slice(i);
      const { uri } = await placed(Object.assign({}, ...later.map(([, change]) => change)));
      await setQuota(2);
      const refusal = await resolve(uri, era);
      await setQuota(200_000);
      expect(refusal.structuredContent.code).toBe(code);
      if (code === 'mesh.budget_spent') expect(refusal.structuredContent.retry_after_sec).toBeGreaterThan(0);
      expect(refusal.structuredContent.hint.kind).toBe('meshRefused');
      expect(refusal.structuredContent.trace).toMatchObject({ connector: 'folder', retention: 'hollow' });
    },
  );

  it('[C-41] is rejected with mesh.unsupported for a dark item', async () => {
    const accountId = await connect({ retention: 'dark', hydrate: false });
    expect(await sync(accountId)).toMatchObject({ found: 1, stored: 1 });
    const { uri, item } = await itemOf(accountId);
    expect(item.inKb).toBe(false);
    expect(JSON.stringify(item)).not.toContain('harbour');
    expect(await codeOf(uri, era)).toBe('mesh.unsupported');
  });

  it('works once with a confirmation, for the agent named in it', async () => {
    const { uri } = await placed({ confirm: 'always' });
    const confirm = async (more: object = {}): Promise<string> => {
      const { status, body } = await rest(admin, 'POST', '/mesh/confirmations', { uri, ...more });
      expect([status, Date.parse(body.expiresAt) > Date.now()]).toEqual([201, true]);
      return body.uri;
    };
    const confirmed = await confirm();
    expect(await codeOf(confirmed, era)).toBe('ok');
    expect(await codeOf(confirmed, era)).toBe('mesh.confirmation_invalid');
    expect(await codeOf(await confirm({ agentId: 'another' }), era)).toBe('mesh.confirmation_invalid');
    expect(await codeOf(await confirm({ agentId: 'reader' }), era)).toBe('ok');
    expect(await codeOf(await confirm({ maxTokens: 2 }), era)).toBe('mesh.batch_too_large');
    const other = await placed({ confirm: 'always' });
    const moved = `${other.uri}?${(await confirm()).split('?')[1]}`;
    expect(await codeOf(moved, era)).toBe('mesh.confirmation_invalid');
  });

  it('[C-42] of an item with its whole text is answered from the store, regardless of the checks', async () => {
    const accountId = await connect({ retention: 'full', hydrate: false, batchTokensMax: 1 });
    const { stored } = await sync(accountId);
    expect(stored).toBe(1);
    const { items } = (await rest(admin, 'GET', '/items?limit=1')).body;
    const { meshUri, content } = (await rest(admin, 'GET', `/items/${items[0].id}`)).body;
    expect(meshUri).toBeNull();
    const { structuredContent } = await resolve(`mesh://folder/${accountId}/${items[0].id}`, era);
    expect(structuredContent).toMatchObject({ text: content, retention: 'full' });
  });
});

describe('the tool', () => {
  it('[C-40] takes one argument', async () => {
    const { body } = await rpc(agent, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const tool = body.result.tools.find(({ name }: any) => name === TOOL);
    expect(Object.keys(tool.inputSchema.properties)).toEqual(['uri']);
    expect(tool.inputSchema.required).toEqual(['uri']);
  });

  it('[C-43] is the only access to a source: no tool, argument or field is about pictures', async () => {
    const { body } = await rpc(underTest.token, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const mesh = body.result.tools.filter(({ name }: any) => /mesh|hydrate/.test(name));
    expect(mesh.map(({ name }: any) => name)).toEqual([TOOL]);
    expect(JSON.stringify(mesh)).not.toMatch(/visual|image|estimate|force/i);
  });

  it('answers under its bare name', async () => {
    const { uri } = await placed();
    const { body } = await BARE_CALLS[BARE_ERAS[0]!]!(agent, 'resolve_mesh_uri', { uri });
    expect(body.result.structuredContent.text).toContain('Osprey');
  });
});

describe('a sync', () => {
  it('stores each document once, and a changed one as an item that supersedes the earlier one', async () => {
    const own = mkdtempSync(join(underTest.connectorRoot, 'sync-'));
    writeFileSync(join(own, 'a.md'), 'First state of a.');
    writeFileSync(join(own, 'b.txt'), 'Only state of b.');
    writeFileSync(join(own, 'c.bin'), 'Not a document.');
    const accountId = await connect({ settings: { path: own } });
    expect(await sync(accountId)).toMatchObject({ found: 2, stored: 2, unchanged: 0, failed: 0, nextCursor: null });
    expect(await sync(accountId)).toMatchObject({ found: 2, stored: 0, unchanged: 2 });
    const cursor = Buffer.from('a.md').toString('base64url');
    const { body } = await rest(admin, 'POST', `/accounts/${accountId}/sync?cursor=${cursor}`);
    expect(body).toMatchObject({ found: 1, unchanged: 1, left: 0, nextCursor: null });
    writeFileSync(join(own, 'a.md'), 'Second state of a, which is longer.');
    expect(await sync(accountId)).toMatchObject({ found: 2, stored: 1, unchanged: 1 });
    const { items } = (await rest(admin, 'GET', '/items?limit=100')).body;
    const own2 = items.filter(({ source }: any) => source.name === 'a.md');
    expect(own2.map(({ superseded }: any) => superseded)).toEqual([false, true]);
    expect(own2[1].supersededById).toBe(own2[0].id);
  });

  it('forgets every earlier text when the retention of the account is lowered', async () => {
    const own = mkdtempSync(join(underTest.connectorRoot, 'tighter-'));
    writeFileSync(join(own, 'note.txt'), 'A text about quicksilverlake.');
    const accountId = await connect({ settings: { path: own } });
    await sync(accountId);
    writeFileSync(join(own, 'note.txt'), 'A longer text about quicksilverlake and its shore.');
    expect(await sync(accountId)).toMatchObject({ stored: 1 });
    expect((await rest(admin, 'PATCH', `/accounts/${accountId}`, { retention: 'metadata' })).body.retention).toBe(
      'metadata',
    );
    expect(await sync(accountId)).toMatchObject({ stored: 1 });
    expect(await sync(accountId)).toMatchObject({ stored: 0, unchanged: 1 });
    const { items } = (await rest(admin, 'GET', '/items?limit=100')).body;
    const details = await Promise.all(items.map(({ id }: any) => rest(admin, 'GET', `/items/${id}`)));
    expect(JSON.stringify(details)).not.toContain('quicksilverlake');
  });

  it('can be run from the command line, which lists the documents that could not be read', async () => {
    const own = mkdtempSync(join(underTest.connectorRoot, 'command-'));
    writeFileSync(join(own, 'good.md'), 'A text that can be read.');
    writeFileSync(join(own, 'bad.pdf'), 'This is not a PDF.');
    const accountId = await connect({ settings: { path: own } });
    const env = { ...process.env, CAIRN_URL: underTest.url, CAIRN_TOKEN: admin };
    const run = (...args: string[]) =>
      new Promise<{ code: number | null; out: string; err: string }>((done) => {
        const child = execFile(process.execPath, [CAIRN, 'sync', ...args], { env }, (_error, out, err) =>
          done({ code: child.exitCode, out, err }),
        );
      });
    const { code, out } = await run(accountId);
    expect(code).toBe(3);
    expect(out).toMatch(/^2 documents found: 1 stored, 0 unchanged, 1 failed, 0 left\nbad\.pdf: file\.\w+: /);
    expect(out).not.toContain(admin);
    const report = JSON.parse((await run(accountId, '--json')).out);
    expect(report).toMatchObject({ found: 2, stored: 0, unchanged: 1, failed: 1, left: 0 });
    const unknown = await run('01a1e984-5281-743e-b9dd-39822e3dd9af');
    expect([unknown.code, unknown.err]).toEqual([
      4,
      expect.stringContaining('there is no such account; GET /api/v1/accounts lists'),
    ]);
  });

  it('finds a file again whose name and directory are decomposed, as macOS writes them', async () => {
    const own = mkdtempSync(join(underTest.connectorRoot, 'cafe\u0301-'));
    writeFileSync(join(own, 'cafe\u0301.md'), 'Black as night.');
    const accountId = await connect({ settings: { path: own }, retention: 'metadata' });
    expect(await sync(accountId)).toMatchObject({ found: 1, stored: 1, unchanged: 0 });
    expect(await sync(accountId)).toMatchObject({ found: 1, stored: 0, unchanged: 1 });
    const { structuredContent } = await resolve((await itemOf(accountId)).uri);
    expect(structuredContent.text).toContain('Black as night.');
  });

  it('reads nothing outside of its directory', async () => {
    const own = mkdtempSync(join(underTest.connectorRoot, 'links-'));
    symlinkSync('/etc/passwd', join(own, 'passwd.txt'));
    const accountId = await connect({ settings: { path: own } });
    expect(await sync(accountId)).toMatchObject({ found: 0, stored: 0 });
    for (const outside of ['/etc', `${own}/../../..`, '../..']) {
      const account = { connectorId: 'folder', label: 'Outside', settings: { path: outside } };
      const { status, body } = await rest(admin, 'POST', '/accounts', account);
      expect([status, body.error.field]).toEqual([400, 'settings.path']);
    }
  });

  it('leads to no file outside when a document or its directory is replaced by a link later', async () => {
    const own = mkdtempSync(join(underTest.connectorRoot, 'replaced-'));
    const file = join(own, 'notes', 'passwd.txt');
    mkdirSync(join(own, 'notes'));
    writeFileSync(file, 'A text inside.');
    const { uri } = await placed({ settings: { path: own }, retention: 'metadata' });
    expect((await resolve(uri)).structuredContent.text).toContain('A text inside.');
    const outside = mkdtempSync(join(tmpdir(), 'cairn-outside-'));
    writeFileSync(join(outside, 'passwd.txt'), 'A text outside.');
    rmSync(file);
    symlinkSync(join(outside, 'passwd.txt'), file);
    expect(await codeOf(uri)).toBe('mesh.source_missing');
    rmSync(join(own, 'notes'), { recursive: true });
    symlinkSync(outside, join(own, 'notes'));
    expect(await codeOf(uri)).toBe('mesh.source_missing');
  });
});

describe('accounts', () => {
  it('are always shown without their credential', async () => {
    const credential = 'canary-credential-5d1f';
    const accountId = await connect({ credential });
    const shown = await Promise.all([
      rest(admin, 'GET', `/accounts/${accountId}`),
      rest(admin, 'GET', '/accounts?limit=100'),
      rest(admin, 'GET', '/ops?limit=20'),
      rest(admin, 'PATCH', `/accounts/${accountId}`, { label: 'Renamed' }),
    ]);
    expect(shown.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(JSON.stringify(shown)).not.toContain(credential);
    expect(shown[0].body).toMatchObject({ hasCredential: true, label: 'Plans' });
  });

  it('fetch nothing for their items once they are disconnected', async () => {
    const { accountId, uri, itemId } = await placed();
    expect((await rest(admin, 'DELETE', `/accounts/${accountId}`)).status).toBe(204);
    expect((await rest(admin, 'GET', `/accounts/${accountId}`)).status).toBe(404);
    expect(await codeOf(uri)).toBe('mesh.account_off');
    expect((await rest(admin, 'GET', `/items/${itemId}`)).status).toBe(200);
  });
});

describe('the daily budget', () => {
  let other: ServiceProcess;
  beforeAll(async () => {
    const env = { ...underTest.envs.gateway, CAIRN_CONNECTOR_ROOTS: underTest.connectorRoot };
    other = await (await ServiceProcess.on('gateway', env)).start();
  });
  afterAll(() => other.end('SIGTERM'));

  const ownedUri = async () => {
    const { token: owner } = await newWorkspace();
    const account = { connectorId: 'folder', label: 'Plans', settings: { path }, retention: 'metadata' };
    const { id } = (await rest(owner, 'POST', '/accounts', account)).body;
    await rest(owner, 'POST', `/accounts/${id}/sync`);
    const [item] = (await rest(owner, 'GET', '/items')).body.items;
    const { meshUri: uri } = (await rest(owner, 'GET', `/items/${item.id}`)).body;
    const ask = async (url: string): Promise<any> => {
      const response = await fetch(`${url}/mcp`, {
        method: 'POST',
        headers: { authorization: `Bearer ${owner}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: TOOL, arguments: { uri } },
        }),
      });
      return ((await response.json()) as any).result.structuredContent;
    };
    return { owner, ask };
  };

  it('is shared by two gateways, to the token', async () => {
    const { owner, ask } = await ownedUri();
    const { tokens } = await ask(underTest.url);
    await rest(owner, 'PUT', '/quotas/mesh_daily_tokens', { limit: 4 * tokens });
    const codes: string[] = [];
    for (let i = 0; i < 6; i++) codes.push((await ask(i % 2 ? underTest.url : other.url)).code ?? 'ok');
    expect(codes).toEqual(['ok', 'ok', 'ok', 'mesh.budget_spent', 'mesh.budget_spent', 'mesh.budget_spent']);
    expect((await rest(owner, 'GET', '/quotas')).body.mesh_daily_tokens).toEqual({
      limit: 4 * tokens,
      used: 4 * tokens,
    });
  });

  it('is not exceeded by concurrent requests to two gateways', async () => {
    const { owner, ask } = await ownedUri();
    const { tokens } = await ask(underTest.url);
    await rest(owner, 'PUT', '/quotas/mesh_daily_tokens', { limit: 4 * tokens });
    const asked = Array.from({ length: 24 }, (_, i) => ask(i % 2 ? underTest.url : other.url));
    const codes = (await Promise.all(asked)).map(({ code = 'ok' }) => code);
    const fetched = codes.filter((code) => code === 'ok').length;
    expect([...new Set(codes)].every((code) => ['ok', 'busy', 'mesh.budget_spent'].includes(code))).toBe(true);
    expect(fetched).toBeGreaterThan(0);
    expect(fetched).toBeLessThanOrEqual(3);
    const { used } = (await rest(owner, 'GET', '/quotas')).body.mesh_daily_tokens;
    expect(used).toBe((1 + fetched) * tokens);
  });
});
