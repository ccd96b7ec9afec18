import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TOKEN_WROTE_SUBJECT } from '@cairn/contracts';
import { parseToken } from '@cairn/auth';
import { uuidV7 } from '@cairn/kernel';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

let gateway: GatewayUnderTest;
let token: string;
let [a, b] = ['', ''];
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  token = gateway.services.issue();
  [a, b] = [gateway.url, await gateway.startReplica()];
});
afterAll(() => gateway.stop());

const hangUp = new AbortController();
afterAll(() => hangUp.abort());

interface Sent {
  readonly method?: string;
  readonly body?: object;
  readonly as?: string;
  readonly headers?: Record<string, string>;
}

const send = (url: string, { method = 'POST', body, as = token, headers = {} }: Sent): Promise<Response> =>
  fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${as}`,
      accept: 'application/json, text/event-stream',
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    },
    signal: hangUp.signal,
    ...(body && { body: JSON.stringify({ jsonrpc: '2.0', id: 1, ...body }) }),
  });

const clientInfo = { name: 't', version: '1' };
const INITIALIZE = { method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } };
const LIST = { method: 'tools/list' };
const call = (name: string, args: object) => ({ method: 'tools/call', params: { name, arguments: args } });

const openSession = async (url: string): Promise<Record<string, string>> => {
  const response = await send(`${url}/mcp`, { body: INITIALIZE });
  expect(response.status).toBe(200);
  return { 'mcp-session-id': response.headers.get('mcp-session-id')! };
};

const answerOf = async (response: Response): Promise<Loose> => {
  const text = await response.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);
};

describe('a session of one gateway', () => {
  it('is served by another: calls, notifications and streams', async () => {
    const headers = await openSession(a);
    const initialized = { method: 'notifications/initialized', id: undefined };
    expect((await send(`${b}/mcp`, { body: initialized, headers })).status).toBe(202);
    const listed = await answerOf(await send(`${b}/mcp`, { body: LIST, headers }));
    expect(listed.result.tools.length).toBeGreaterThan(0);
    for (const url of [a, b]) {
      const stream = await send(`${url}/mcp`, { method: 'GET', headers });
      expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
      await stream.body!.cancel();
    }
  });

  it('does not exist for another token at any gateway', async () => {
    const headers = await openSession(a);
    const as = gateway.services.issue();
    for (const url of [a, b]) {
      const response = await send(`${url}/mcp`, { body: LIST, headers, as });
      expect([response.status, (await answerOf(response)).error.code]).toEqual([404, -32001]);
    }
  });

  it('is ended for all by a DELETE to either, with its streams', async () => {
    for (const url of [a, b]) {
      const headers = await openSession(a);
      const streams = await Promise.all([a, b].map((one) => send(`${one}/mcp`, { method: 'GET', headers })));
      expect((await send(`${url}/mcp`, { method: 'DELETE', headers })).status).toBe(200);
      await Promise.all(streams.map((stream) => stream.text()));
      for (const one of [a, b]) {
        expect((await send(`${one}/mcp`, { body: LIST, headers })).status).toBe(404);
        expect((await send(`${one}/mcp`, { method: 'DELETE', headers })).status).toBe(404);
      }
    }
  });

  it('outlives its gateway', async () => {
    const third = await gateway.startGateway();
    const headers = await openSession(third.url);
    await third.close();
    for (const one of [a, b]) expect((await send(`${one}/mcp`, { body: LIST, headers })).status).toBe(200);
  });
});

/** Opens `/mcp/sse` and returns the address for messages and a function that reads the next event. */
const openSse = async (url: string) => {
  const reader = (await send(`${url}/mcp/sse`, { method: 'GET' })).body!.getReader();
  const decoder = new TextDecoder();
  let text = '';
  const next = async (): Promise<string | undefined> => {
    while (!text.includes('\n\n')) {
      const { value, done } = await reader.read();
      if (done) return undefined;
      text += decoder.decode(value, { stream: true });
    }
    const end = text.indexOf('\n\n');
    const event = text.slice(0, end);
    text = text.slice(end + 2);
    return event;
  };
  return { path: /data: (\S+)/.exec((await next())!)![1]!, next, close: () => reader.cancel() };
};

describe('an SSE stream of one gateway', () => {
  it('answers what was posted to another', async () => {
    const stream = await openSse(a);
    expect((await send(`${b}${stream.path}`, { body: { ...LIST, id: 7 } })).status).toBe(202);
    expect(await stream.next()).toMatch(/"id":7/);
    expect((await send(`${a}${stream.path}`, { body: { ...LIST, id: 8 } })).status).toBe(202);
    expect(await stream.next()).toMatch(/"id":8/);
    await stream.close();
  });

  it('carries the caller and the rate limit of the token to its gateway', async () => {
    const stream = await openSse(a);
    await send(`${b}${stream.path}`, { body: call('search_knowledge_base', { query: 'x' }) });
    expect(await stream.next()).toMatch(/structuredContent/);
    expect(gateway.services.seen.at(-1)?.request.principal.tokenId).toBe(parseToken(token)!.tokenId);
    await stream.close();
  });

  it('does not exist for another token, nor once it is closed', async () => {
    const stream = await openSse(a);
    const as = gateway.services.issue();
    expect((await send(`${b}${stream.path}`, { body: LIST, as })).status).toBe(404);
    await stream.close();
    const isGone = async (): Promise<boolean> => (await send(`${b}${stream.path}`, { body: LIST })).status === 404;
    while (!(await isGone())) await new Promise(setImmediate);
  });

  it.each(['', 'x', '*', '>', 'a.b', uuidV7()])('does not exist at the replica %j', async (replica) => {
    const stream = await openSse(a);
    const path = stream.path.replace(/replica=[^&]*/, `replica=${encodeURIComponent(replica)}`);
    const response = await send(`${b}${path}`, { body: LIST });
    expect(response.status).toBe(404);
    expect((await answerOf(response)).error.message).toBe('Session not found: open a new stream');
    await stream.close();
  });

  it('is answered before its gateway stops, and is gone at once when it has stopped', async () => {
    const third = await gateway.startGateway();
    const stream = await openSse(third.url);
    let [release, arrived] = [(): void => undefined, (): void => undefined];
    const gate = new Promise<void>((resolve) => (release = resolve));
    const waiting = new Promise<void>((resolve) => (arrived = resolve));
    gateway.services.faults.set('chunks.search', () => (arrived(), gate));
    await send(`${b}${stream.path}`, { body: { ...call('search_knowledge_base', { query: 'x' }), id: 9 } });
    await waiting;
    const closed = third.close();
    release();
    gateway.services.faults.delete('chunks.search');
    expect(await stream.next()).toMatch(/"id":9/);
    expect(await stream.next()).toBeUndefined();
    await closed;
    expect((await send(`${b}${stream.path}`, { body: LIST })).status).toBe(404);
  });
});

describe('a write through one gateway', () => {
  const store = async (url: string, as: string): Promise<number> => {
    const response = await send(`${url}/mcp`, { body: call('store_knowledge', { title: 't', body: 'b' }), as });
    return (await answerOf(response)).result.structuredContent.position;
  };
  const search = (url: string, as: string) =>
    send(`${url}/mcp`, { body: call('search_knowledge_base', { query: 'b' }), as }).then(answerOf);
  const lastSearch = () => gateway.services.seen.findLast(({ type }) => type === 'chunks.search')!.request;

  it('is included in the next read through another, and in no read of another token', async () => {
    const writer = gateway.services.issue();
    for (const [write, read] of [
      [a, b],
      [b, a],
    ] as const) {
      const position = await store(write, writer);
      await search(read, writer);
      expect(lastSearch()).toMatchObject({ atLeast: position });
    }
    await search(b, gateway.services.issue());
    expect(lastSearch().atLeast).toBeUndefined();
  });

  it('is included in a read that overtook the notice: the read is repeated', async () => {
    const reader = gateway.services.issue();
    const { tokenId } = parseToken(reader)!;
    const tell = async (): Promise<void> => {
      gateway.services.faults.delete('chunks.search');
      gateway.nats.publish(TOKEN_WROTE_SUBJECT, JSON.stringify({ tokenId, position: 4_711, replicaId: uuidV7() }));
    };
    gateway.services.faults.set('chunks.search', tell);
    const before = gateway.services.seen.length;
    await search(b, reader);
    const asked = gateway.services.seen.slice(before).filter(({ type }) => type === 'chunks.search');
    expect(asked.map(({ request }) => request.atLeast)).toEqual([undefined, 4_711]);
  });

  it('ignores a notice that it cannot read', async () => {
    for (const text of ['', '{', '{}', '{"tokenId":"x","position":1}', 'null'])
      gateway.nats.publish(TOKEN_WROTE_SUBJECT, text);
    await gateway.nats.flush();
    expect((await search(b, token)).result).toBeDefined();
  });
});
