import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppProcess } from '@cairn/local-servers';
import { StandaloneProcess } from '@cairn/testing';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const NO_EMBEDDER = { EMBEDDING_URL: 'http://127.0.0.1:1/v1', EMBEDDING_MODEL: 'none' };

describe('the admin token of a home', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-token-'));
  const tokenFile = join(home, 'admin-token');
  let cairn: StandaloneProcess;
  let first: string;

  const start = () => StandaloneProcess.start(home, NO_EMBEDDER);
  const restart = async (): Promise<void> => {
    await cairn.stop();
    cairn = await start();
    await cairn.app.until(() => cairn.app.output.includes('npx cairn connect'));
  };
  const call = (token: string, method: string, path: string, body?: unknown) =>
    fetch(`${cairn.run.url}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });

  beforeAll(async () => {
    cairn = await start();
    first = cairn.token;
  }, 120_000);
  afterAll(async () => {
    await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('is issued again when its file is missing, as after a restore, with the same rights as the first one', async () => {
    rmSync(tokenFile);
    await restart();
    const second = cairn.token;
    expect(second).not.toBe(first);
    expect(cairn.app.output).toContain(tokenFile);
    expect(cairn.app.output).not.toContain(second);
    expect((await call(second, 'POST', '/workspaces', { slug: 'other', name: 'Other' })).status).toBe(201);
    expect((await call(second, 'GET', '/folders')).status).toBe(200);
    expect((await call(first, 'GET', '/folders')).status).toBe(200);
  }, 120_000);

  it('that was revoked is reported as revoked, with instructions for a new one', async () => {
    const { items } = (await (await call(first, 'GET', '/tokens')).json()) as { items: { id: string; name: string }[] };
    const { id } = items.find(({ name }) => name === 'Admin token')!;
    expect((await call(first, 'DELETE', `/tokens/${id}`)).status).toBe(204);
    await restart();
    expect(cairn.app.output).toContain('was revoked or has expired');
    expect(cairn.app.output).toContain('delete that file and start again');
    rmSync(tokenFile);
    await restart();
    expect((await call(cairn.token, 'GET', '/folders')).status).toBe(200);
  }, 120_000);
});

describe('the agent token of a home', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-agent-'));
  const file = join(home, 'agent-token');
  let cairn: StandaloneProcess;

  const kept = (): string => readFileSync(file, 'utf8').trim();
  const get = (token: string, path: string) =>
    fetch(`${cairn.run.url}/api/v1${path}`, { headers: { authorization: `Bearer ${token}` } });
  const toolNames = async (token: string): Promise<string[]> => {
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    const { result } = (await (await fetch(cairn.run.mcpUrl, { method: 'POST', headers, body })).json()) as any;
    return result.tools.map(({ name }: { name: string }) => name).sort();
  };

  beforeAll(async () => {
    cairn = await StandaloneProcess.start(home, NO_EMBEDDER);
  }, 120_000);
  afterAll(async () => {
    await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('is created by the first start: every tool, the whole workspace, no admin rights', async () => {
    const agent = kept();
    expect(await toolNames(agent)).toEqual(await toolNames(cairn.token));
    expect(await (await get(agent, '/whoami')).json()).toMatchObject({
      agentId: 'agent',
      isAdmin: false,
      isUnscoped: true,
      scopes: expect.arrayContaining(['write', 'memory:forget', 'knowledge:write']),
    });
    for (const path of ['/tokens', '/ops', '/quotas']) expect((await get(agent, path)).status).toBe(404);
  });

  it('is printed by `cairn connect`, and the printed command works in a shell', async () => {
    const env = { ...process.env, CAIRN_HOME: home };
    const { stdout } = await run(process.execPath, [CAIRN, 'connect', 'curl'], { env });
    expect(stdout).toContain(kept());
    const command = stdout.slice(stdout.indexOf('curl -s'));
    const answer = JSON.parse((await run('sh', ['-c', command])).stdout);
    expect(answer.result.tools.map(({ name }: { name: string }) => name)).toContain('remember');
  });

  it('is created by the next start of a home that an earlier build has left without one, and kept from then on', async () => {
    const first = kept();
    await cairn.stop();
    rmSync(file);
    cairn = await StandaloneProcess.start(home, NO_EMBEDDER);
    const second = kept();
    expect(second).not.toBe(first);
    expect((await get(second, '/whoami')).status).toBe(200);
    await cairn.stop();
    cairn = await StandaloneProcess.start(home, NO_EMBEDDER);
    expect(kept()).toBe(second);
  }, 120_000);
});

describe('a start that cannot listen', () => {
  it('reports it before anything is created, with the variable to set', async () => {
    const home = mkdtempSync(join(tmpdir(), 'cairn-port-'));
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const { port } = taken.address() as AddressInfo;
    const app = AppProcess.start('standalone', { CAIRN_HOME: home, CAIRN_PORT: String(port), ...NO_EMBEDDER });
    expect(await app.ended()).toBe(1);
    expect(app.output).toContain(`cannot listen on 127.0.0.1:${port}`);
    expect(app.output).toContain('CAIRN_PORT');
    expect(app.output).not.toContain('    at ');
    expect(existsSync(join(home, 'admin-token'))).toBe(false);
    taken.close();
    rmSync(home, { recursive: true, force: true });
  });

  it('names CAIRN_HOST, and not the port, if the machine does not have the address', async () => {
    const home = mkdtempSync(join(tmpdir(), 'cairn-host-'));
    const app = AppProcess.start('standalone', {
      CAIRN_HOME: home,
      CAIRN_PORT: '0',
      CAIRN_HOST: '192.0.2.1',
      ...NO_EMBEDDER,
    });
    expect(await app.ended()).toBe(1);
    expect(app.output).toContain('cannot listen on 192.0.2.1:0: this machine does not have the address 192.0.2.1');
    expect(app.output).toContain('Set CAIRN_HOST');
    expect(app.output).not.toContain('CAIRN_PORT');
    rmSync(home, { recursive: true, force: true });
  });

  it('rejects a home that is a file', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'cairn-file-')), 'home');
    writeFileSync(file, 'x');
    const app = AppProcess.start('standalone', { CAIRN_HOME: file, CAIRN_PORT: '0' });
    expect(await app.ended()).toBe(1);
    expect(app.output).toContain('CAIRN_HOME must be a directory');
    expect(readFileSync(file, 'utf8')).toBe('x');
  });
});
