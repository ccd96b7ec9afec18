import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { readConsoleFiles } from './console-files.js';
import { consoleFiles } from './console.middleware.js';
import { notFoundPage } from './not-found-page.js';

let dir: string;
let server: Server;
let port: number;

const serve = async (consoleDir: string | undefined): Promise<void> => {
  const files = readConsoleFiles(consoleDir);
  const [handle, sendNotFound] = [consoleFiles(files), notFoundPage(files)];
  const others = (req: IncomingMessage, res: ServerResponse): void => {
    if (!sendNotFound(req, res)) res.writeHead(418).end('next');
  };
  server = createServer((req, res) => handle(req, res, () => others(req, res)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
};

/** Does not use fetch, which normalises the path before it is sent. */
const ask = (path: string, method = 'GET', headers: Record<string, string> = {}) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    request({ host: '127.0.0.1', port, path, method, headers }, (res) => {
      const parts: Buffer[] = [];
      res.on('data', (part: Buffer) => parts.push(part));
      res.on('end', () =>
        resolve({ status: res.statusCode!, headers: res.headers, body: Buffer.concat(parts).toString() }),
      );
    })
      .on('error', reject)
      .end();
  });

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'cairn-console-'));
  mkdirSync(join(dir, 'dist', 'assets'), { recursive: true });
  writeFileSync(join(dir, 'secret'), 'secret');
  writeFileSync(join(dir, 'dist', 'index.html'), '<!doctype html>');
  writeFileSync(join(dir, 'dist', 'assets', 'index-abc.js'), 'run()');
  writeFileSync(join(dir, 'dist', 'assets', 'index-abc.css'), 'a{}');
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  rmSync(dir, { recursive: true });
});

describe('the files of the console', () => {
  it.each(['/', '/search', '/search?q=a', '/sources', '/sources/123', '/folders/', '/receipts/1', '/system'])(
    'answer %s with the page, uncached and under a strict policy',
    async (path) => {
      await serve(join(dir, 'dist'));
      const { status, headers, body } = await ask(path);
      expect([status, body]).toEqual([200, '<!doctype html>']);
      expect(headers).toMatchObject({
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-cache',
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'no-referrer',
      });
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    },
  );

  it('have their types and may be cached forever', async () => {
    await serve(join(dir, 'dist'));
    const script = await ask('/assets/index-abc.js');
    expect(script.body).toBe('run()');
    expect(script.headers).toMatchObject({
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'public, max-age=31536000, immutable',
    });
    expect((await ask('/assets/index-abc.css')).headers['content-type']).toBe('text/css; charset=utf-8');
  });

  it.each([
    '/assets/',
    '/assets/none.js',
    '/assets/../../secret',
    '/assets/%2e%2e/%2e%2e/secret',
    '/../secret',
    '//etc/passwd',
    '/sources/a/b',
    '/api/v1/items',
    '/mcp',
    '/searching',
  ])('leave %s to other handlers', async (path) => {
    await serve(join(dir, 'dist'));
    expect((await ask(path)).status).toBe(418);
  });

  it('answer a browser at an unknown address with the page, as not found and under the same policy', async () => {
    await serve(join(dir, 'dist'));
    const accept = 'text/html,application/xhtml+xml,*/*;q=0.8';
    const { status, headers, body } = await ask('/nope', 'GET', { accept });
    expect([status, body]).toEqual([404, '<!doctype html>']);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    for (const other of ['*/*', 'application/json', ''])
      expect((await ask('/nope', 'GET', { accept: other })).status).toBe(418);
    expect((await ask('/nope', 'POST', { accept })).status).toBe(418);
  });

  it('answer HEAD without a body and reject writes', async () => {
    await serve(join(dir, 'dist'));
    expect(await ask('/', 'HEAD')).toMatchObject({ status: 200, body: '' });
    const { status, headers } = await ask('/', 'POST');
    expect([status, headers['allow']]).toEqual([405, 'GET, HEAD']);
  });

  it.each([undefined, 'nowhere'])('explain how to build them when they are missing (%s)', async (name) => {
    await serve(name === undefined ? undefined : join(dir, name));
    const { status, body } = await ask('/');
    expect(status).toBe(503);
    expect(body).toContain('npm run build');
    expect((await ask('/nope', 'GET', { accept: 'text/html' })).status).toBe(418);
  });
});
