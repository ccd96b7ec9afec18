import { afterEach, describe, expect, it } from '@jest/globals';
import {
  EXTERNAL_LIST_BYTES_MAX,
  EXTERNAL_RESULT_BYTES_MAX,
  SERVER_TOOLS_MAX,
  type OpenedServer,
} from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { ExternalServers, type ExternalServersOptions } from './external-servers.js';
import { startStubServer, textTool, type StubOptions, type StubServer, type StubTool } from './stub-server.harness.js';

/** Text from a remote server that none of Cairn's errors may repeat. */
const REMOTE_WORDS = 'remote-words-4711';
const SECRET = 'secret-4711';
const ERAS = ['initialize', 'stateless', 'sse'] as const;
const SHORT_MS = 1_000;

const opened: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

const stub = async (options: Partial<StubOptions> & { readonly list?: readonly StubTool[] }): Promise<StubServer> => {
  const { list = [textTool('search', 'found')], ...more } = options;
  const server = await startStubServer({ era: 'initialize', tools: () => list, ...more });
  opened.push(() => server.close());
  return server;
};

const serverAt = (url: string, more: Partial<OpenedServer> = {}): OpenedServer => ({
  id: 's-1',
  name: 'beeper',
  transport: 'auto',
  enabled: true,
  approval: 'first-use',
  pins: [],
  secrets: { url },
  ...more,
});

const clients = (origins: readonly string[], more: Partial<ExternalServersOptions> = {}): ExternalServers => {
  const servers = new ExternalServers({ localOrigins: origins, discoveryMs: 5_000, callMs: 5_000, ...more });
  opened.push(() => servers.close());
  return servers;
};

const failure = async (work: Promise<unknown>): Promise<AppError> => {
  const error = await work.then(
    () => Promise.reject(new Error('it was expected to fail')),
    (thrown: AppError) => thrown,
  );
  const shown = `${error.message} ${JSON.stringify(error.details)}`;
  expect(shown).not.toContain(REMOTE_WORDS);
  expect(shown).not.toContain(SECRET);
  return error;
};

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
};

const discoverAndCall = async (servers: ExternalServers, server: OpenedServer, args: unknown = {}, index = 0) => {
  const { tools } = await servers.discover(server);
  return servers.call(server, tools[index]!, args);
};

describe.each(ERAS)('a server of the era %s', (era) => {
  it('is discovered and called with its credential, and learns nothing about the caller', async () => {
    const { url, origin, calls, requests } = await stub({ era, bearer: SECRET });
    const servers = clients([origin]);
    const server = serverAt(url, { secrets: { url, credential: { kind: 'bearer', value: SECRET } } });
    const discovery = await servers.discover(server);
    expect(discovery.era).toBe(era);
    expect(discovery.tools).toMatchObject([{ name: 'search', listedAs: 'beeper__search' }]);
    const { content, isError } = await servers.call(server, discovery.tools[0]!, { q: 'x' });
    expect(isError).toBe(false);
    expect(content).toMatchObject([{ type: 'text', text: expect.stringContaining('found') }]);
    expect(calls).toEqual([{ name: 'search', args: { q: 'x' } }]);
    expect(requests.every(({ headers }) => headers.authorization === `Bearer ${SECRET}`)).toBe(true);
    expect(requests.every(({ headers }) => !headers.cookie && !headers.origin)).toBe(true);
  });

  it('is read page by page, and of too many tools the first by name are taken', async () => {
    const list = Array.from({ length: SERVER_TOOLS_MAX + 6 }, (_, i) =>
      textTool(`t${String(i).padStart(3, '0')}`, 'x'),
    );
    const { url, origin } = await stub({ era, list: [...list].reverse(), pageSize: 20 });
    const { tools } = await clients([origin]).discover(serverAt(url));
    expect(tools.map(({ name }) => name)).toEqual(list.slice(0, SERVER_TOOLS_MAX).map(({ name }) => name));
  });

  it('that refuses the credential is reported as such', async () => {
    const { url, origin } = await stub({ era, bearer: SECRET });
    const error = await failure(clients([origin]).discover(serverAt(url)));
    expect(['server.refused', 'server.unavailable']).toContain(error.code);
  });

  it('that answers a call too slowly is abandoned', async () => {
    const { url, origin } = await stub({
      era,
      list: [textTool('slow', '', { handle: () => new Promise(() => undefined) })],
    });
    const error = await failure(discoverAndCall(clients([origin], { callMs: SHORT_MS }), serverAt(url)));
    expect(error.code).toBe('server.timeout');
  });

  it('that dies in the middle of a call is unavailable at once', async () => {
    const dying = textTool('dies', '', { handle: () => (void server.close(), new Promise(() => undefined)) });
    const server: StubServer = await stub({ era, list: [dying] });
    const startedAt = Date.now();
    const error = await failure(discoverAndCall(clients([server.origin], { callMs: 60_000 }), serverAt(server.url)));
    expect(error.code).toBe('server.unavailable');
    expect(Date.now() - startedAt).toBeLessThan(30_000);
  });

  it('that answers with ten megabytes is cut off', async () => {
    const { url, origin } = await stub({ era, list: [textTool('large', 'x'.repeat(10_000_000))] });
    const error = await failure(discoverAndCall(clients([origin], { callMs: 30_000 }), serverAt(url)));
    expect(error.code).toBe('server.too_large');
  });

  it('that answers with more than a model should read is refused, and serves the next call', async () => {
    const list = [textTool('a', 'x'.repeat(EXTERNAL_RESULT_BYTES_MAX + 1)), textTool('b', 'short')];
    const { url, origin } = await stub({ era, list });
    const servers = clients([origin]);
    expect((await failure(discoverAndCall(servers, serverAt(url)))).code).toBe('server.too_large');
    expect((await discoverAndCall(servers, serverAt(url), {}, 1)).isError).toBe(false);
  });

  it('that answers with an error is refused without its text, and its own tool errors pass', async () => {
    const throws = textTool('a', '', { handle: () => Promise.reject(new Error(REMOTE_WORDS)) });
    const fails = textTool('b', '', {
      handle: () => ({ isError: true, content: [{ type: 'text', text: 'no such chat' }] }),
    });
    const { url, origin } = await stub({ era, list: [throws, fails] });
    const servers = clients([origin]);
    expect((await failure(discoverAndCall(servers, serverAt(url)))).code).toBe('server.refused');
    const answer = await discoverAndCall(servers, serverAt(url), {}, 1);
    expect(answer).toMatchObject({ isError: true, content: [{ text: expect.stringContaining('no such chat') }] });
  });

  it.each([
    ['in one page', undefined],
    ['in all its pages', 2],
  ])('whose list is too large %s is left out', async (_, pageSize) => {
    const description = 'x'.repeat(EXTERNAL_LIST_BYTES_MAX / 10);
    const list = Array.from({ length: 12 }, (_, i) => textTool(`t${i}`, 'x', { description }));
    const { url, origin } = await stub({ era, list, ...(pageSize && { pageSize }) });
    expect((await failure(clients([origin]).discover(serverAt(url)))).code).toBe('server.too_large');
    const fits = await stub({ era, list: list.slice(0, 9) });
    expect((await clients([fits.origin]).discover(serverAt(fits.url))).tools).toHaveLength(9);
  });

  it('that never stops paging is left out', async () => {
    let page = 0;
    const tools = () => Array.from({ length: 1_000_000 / 1_000 }, () => textTool(`t${page++}`, 'x'));
    const { url, origin } = await stub({ era, tools, pageSize: 1 });
    expect((await failure(clients([origin]).discover(serverAt(url)))).code).toBe('server.unavailable');
  });
});

describe('a hostile server', () => {
  it('reaches no other origin by a redirect, and no private address', async () => {
    const inside = await stub({});
    for (const location of [inside.url, 'http://169.254.169.254/latest/meta-data', 'https://example.com/mcp']) {
      const { url, origin } = await stub({
        intercept: (_, res) => (res.writeHead(307, { location }).end(), true),
      });
      const error = await failure(clients([origin, inside.origin]).discover(serverAt(url)));
      expect(error.code).toBe('server.unavailable');
    }
    expect(inside.requests).toEqual([]);
  });

  it('may redirect within its own origin', async () => {
    const server: StubServer = await stub({
      path: '/new',
      intercept: (req, res) => req.url === '/old' && (res.writeHead(307, { location: '/new' }).end(), true),
    });
    const { tools } = await clients([server.origin]).discover(serverAt(`${server.origin}/old`));
    expect(tools).toHaveLength(1);
  });

  it('does not get the input that it requests', async () => {
    const asks = textTool('asks', '', {
      handle: () => ({
        resultType: 'input_required',
        inputRequests: {
          a: {
            method: 'elicitation/create',
            params: { message: REMOTE_WORDS, requestedSchema: { type: 'object', properties: {} } },
          },
        },
      }),
    });
    const { url, origin } = await stub({ era: 'stateless', list: [asks] });
    const error = await failure(discoverAndCall(clients([origin]), serverAt(url)));
    expect(['server.refused', 'server.unavailable']).toContain(error.code);
  });

  it('over HTTP+SSE may not name an endpoint of another origin', async () => {
    const inside = await stub({});
    const { url, origin } = await stub({
      era: 'sse',
      intercept: (req, res) => {
        if (req.method !== 'GET') return false;
        res.writeHead(200, { 'content-type': 'text/event-stream' });
        res.write(`event: endpoint\ndata: ${inside.url}\n\n`);
        return true;
      },
    });
    const server = serverAt(url, { transport: 'sse' });
    await failure(clients([origin, inside.origin], { discoveryMs: SHORT_MS }).discover(server));
    expect(inside.requests).toEqual([]);
  });

  it('that sends anything other than MCP is left out', async () => {
    const { url, origin } = await stub({
      intercept: (_, res) => (res.writeHead(200, { 'content-type': 'application/json' }).end('{"hello": 1}'), true),
    });
    const error = await failure(clients([origin], { discoveryMs: SHORT_MS }).discover(serverAt(url)));
    expect(['server.unavailable', 'server.timeout']).toContain(error.code);
  });
});

describe('an address', () => {
  it.each([
    ['plain http', 'http://example.com/mcp'],
    ['loopback', 'http://127.0.0.1:9/mcp'],
    ['loopback over https', 'https://127.0.0.1:9/mcp'],
    ['IPv6 loopback', 'https://[::1]/mcp'],
    ['a private network', 'https://10.0.0.1/mcp'],
    ['another private network', 'https://192.168.1.1/mcp'],
    ['a third private network', 'https://172.16.0.1/mcp'],
    ['the link-local metadata service', 'https://169.254.169.254/mcp'],
    ['carrier-grade NAT', 'https://100.64.0.1/mcp'],
    ['IPv4 inside IPv6', 'https://[::ffff:127.0.0.1]/mcp'],
    ['unique local IPv6', 'https://[fd00::1]/mcp'],
    ['a decimal loopback', 'https://2130706433/mcp'],
    ['a local name', 'https://localhost/mcp'],
    ['an internal name', 'https://vault.internal/mcp'],
  ])('that is %s is refused', async (_, url) => {
    const error = await failure(clients([]).discover(serverAt(url)));
    expect(error.code).toBe('server.unavailable');
  });

  it.each(['127.0.0.1', '10.1.2.3', '::1', '169.254.1.1'])('whose name resolves to %s is refused', async (address) => {
    const { origin, requests } = await stub({});
    const family = address.includes(':') ? 6 : 4;
    const resolve = () => Promise.resolve([{ address, family }]);
    const url = `https://mcp.example.com:${new URL(origin).port}/mcp`;
    expect((await failure(clients([], { resolve }).discover(serverAt(url)))).code).toBe('server.unavailable');
    expect(requests).toEqual([]);
  });

  it('that an operator lists allows that origin only: not another port, nor another name for it', async () => {
    const listed = await stub({});
    const other = await stub({});
    const servers = clients([listed.origin]);
    expect((await servers.discover(serverAt(listed.url))).tools).toHaveLength(1);
    for (const url of [other.url, listed.url.replace('127.0.0.1', 'localhost')])
      expect((await failure(servers.discover(serverAt(url, { id: url })))).code).toBe('server.unavailable');
    expect(other.requests).toEqual([]);
  });
});

describe('the connections', () => {
  it('are shared by calls, and end when the server is forgotten', async () => {
    const { url, origin, requests } = await stub({});
    const servers = clients([origin]);
    await discoverAndCall(servers, serverAt(url));
    await discoverAndCall(servers, serverAt(url));
    const initialized = () => requests.filter(({ body }) => body?.method === 'initialize').length;
    expect(initialized()).toBe(1);
    servers.disconnect('s-1');
    await discoverAndCall(servers, serverAt(url));
    expect(initialized()).toBe(2);
  });

  it('are closed after a time without use, and the era is not probed again', async () => {
    const { url, origin, requests } = await stub({ era: 'stateless' });
    let nowMs = 0;
    const servers = clients([origin], { clock: { now: () => nowMs } });
    await servers.discover(serverAt(url));
    nowMs += 10 * 60_000;
    servers.sweep();
    await servers.discover(serverAt(url));
    expect(requests.filter(({ body }) => body?.method === 'server/discover')).toHaveLength(1);
  });

  it.each(ERAS)('are opened again after a server was restarted (%s)', async (era) => {
    const first = await stub({ era });
    const servers = clients([first.origin]);
    await servers.discover(serverAt(first.url));
    await first.close();
    expect((await failure(servers.discover(serverAt(first.url)))).code).toBe('server.unavailable');
    const second = await stub({ era, ports: [Number(new URL(first.origin).port)] });
    expect(second.url).toBe(first.url);
    expect((await discoverAndCall(servers, serverAt(first.url))).isError).toBe(false);
  });

  it.each(ERAS)('that one request gave up serve the other calls in flight to their end (%s)', async (era) => {
    let finish = (_: unknown): void => undefined;
    const finished = new Promise((resolve) => (finish = resolve));
    const slow = textTool('slow', '', { handle: () => finished.then(() => ({ content: [] })) });
    let isBusy = false;
    const server = await stub({
      era,
      list: [slow],
      // A server that does one thing at a time: it does not list its tools while a call runs.
      intercept: (_, __, body) => isBusy && body?.method === 'tools/list',
    });
    const servers = clients([server.origin], { discoveryMs: SHORT_MS });
    const { tools } = await servers.discover(serverAt(server.url));
    isBusy = true;
    const call = servers.call(serverAt(server.url), tools[0]!, {});
    call.catch(() => undefined);
    await until(() => server.calls.length === 1);
    expect((await failure(servers.discover(serverAt(server.url)))).code).toBe('server.timeout');
    isBusy = false;
    // Opened beside the one that is still in use, and not ended by it.
    expect((await servers.discover(serverAt(server.url))).tools).toHaveLength(1);
    finish(undefined);
    expect((await call).isError).toBe(false);
    const before = server.requests.length;
    expect((await servers.discover(serverAt(server.url))).tools).toHaveLength(1);
    const posted = server.requests.slice(before).filter(({ method }) => method === 'POST');
    expect(posted.map(({ body }) => body?.method)).toEqual(['tools/list']);
  });

  it('that one request gave up end with their server all the same', async () => {
    const slow = textTool('slow', '', { handle: () => new Promise(() => undefined) });
    let isBusy = false;
    const server = await stub({ list: [slow], intercept: (_, __, body) => isBusy && body?.method === 'tools/list' });
    const servers = clients([server.origin], { discoveryMs: SHORT_MS, callMs: 60_000 });
    const { tools } = await servers.discover(serverAt(server.url));
    isBusy = true;
    const call = servers.call(serverAt(server.url), tools[0]!, {});
    call.catch(() => undefined);
    await until(() => server.calls.length === 1);
    await failure(servers.discover(serverAt(server.url)));
    servers.disconnect('s-1');
    expect((await failure(call)).code).toBe('server.unavailable');
  });

  it('check arguments before anything is sent', async () => {
    const inputSchema = {
      type: 'object',
      properties: { n: { type: 'integer' } },
      required: ['n'],
      additionalProperties: false,
    };
    const { url, origin, calls } = await stub({ list: [textTool('count', 'x', { inputSchema })] });
    const servers = clients([origin]);
    for (const [args, field] of [
      [{}, 'n'],
      [{ n: 'x' }, 'n'],
      [{ n: 1, more: 2 }, 'more'],
      [[], 'arguments'],
    ] as const)
      expect(await failure(discoverAndCall(servers, serverAt(url), args))).toMatchObject({
        code: 'input.invalid',
        details: { field },
      });
    expect(calls).toEqual([]);
  });
});
