import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { BATCH_MESSAGES_MAX } from '@cairn/contracts';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

let gateway: GatewayUnderTest;
let token: string;
let port: number;

const start = async (options: Parameters<typeof startGatewayUnderTest>[0] = {}): Promise<void> => {
  gateway = await startGatewayUnderTest(options);
  token = gateway.services.issue();
  port = Number(new URL(gateway.url).port);
};
afterEach(() => gateway.stop());

/** Holds every request of this type in its service until it is let go. */
const hold = (type: string): { readonly arrived: Promise<void>; letGo(): void } => {
  let letGo = (): void => undefined;
  const held = new Promise<void>((resolve) => (letGo = resolve));
  const arrived = new Promise<void>((resolve) => {
    gateway.services.faults.set(type, () => (resolve(), held));
  });
  return { arrived, letGo: () => letGo() };
};

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const modern = (method: string, name?: string) => ({
  'mcp-protocol-version': '2026-07-28',
  'mcp-method': method,
  ...(name && { 'mcp-name': name }),
});
const TOOL = 'search_knowledge_base';
const search = (_meta?: object) => ({
  jsonrpc: '2.0',
  id: 7,
  method: 'tools/call',
  params: { name: TOOL, arguments: { query: 'x' }, ...(_meta && { _meta }) },
});
const post = (body: unknown, headers: Record<string, string> = {}, path = '/mcp') =>
  gateway.post(body, { token, headers, path });
const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${gateway.url}${path}`, {
    headers: { authorization: `Bearer ${token}`, accept: 'text/event-stream', ...headers },
  });

const newSession = async (): Promise<Record<string, string>> => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
  const response = await post({ jsonrpc: '2.0', id: 0, method: 'initialize', params });
  await response.text();
  return { 'mcp-session-id': response.headers.get('mcp-session-id')! };
};

/** The JSON-RPC answer, whether it arrived as JSON or as an event of a stream. */
const answerIn = (body: string): Loose => JSON.parse(/^data: (\{.*)$/m.exec(body)?.[1] ?? body);
const answerOf = async (response: Response): Promise<Loose> => answerIn(await response.text());

/** Resolves when the port accepts no connection. */
const refusesConnections = async (): Promise<void> => {
  for (;;) {
    const socket = connect(port, '127.0.0.1').on('error', () => undefined);
    const isConnected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (!isConnected) return;
  }
};

describe('a gateway that stops', () => {
  beforeEach(() => start());

  const CALLS: Record<string, () => Promise<() => Promise<Response>>> = {
    'of a session': async () => {
      const session = await newSession();
      return () => post(search(), session);
    },
    'without a session': () => Promise.resolve(() => post(search())),
    'of the stateless era': () => Promise.resolve(() => post(search(META), modern('tools/call', TOOL))),
  };

  it.each(Object.keys(CALLS))('answers a call %s that it has accepted', async (kind) => {
    const call = await CALLS[kind]!();
    const searches = hold('chunks.search');
    const response = call();
    await searches.arrived;
    const closed = gateway.close();
    await refusesConnections();
    searches.letGo();
    const answer = await answerOf(await response);
    expect(answer).toMatchObject({ id: 7, result: { structuredContent: { mode: 'hybrid' } } });
    await closed;
  });

  it('answers a REST call that it has accepted', async () => {
    const stores = hold('item.store');
    const response = post({ title: 'Kept', text: 'a text' }, {}, '/api/v1/items');
    await stores.arrived;
    const closed = gateway.close();
    await refusesConnections();
    stores.letGo();
    expect((await response).status).toBe(201);
    await closed;
  });

  it('answers a call of a session whose body is still arriving', async () => {
    const session = await newSession();
    const body = JSON.stringify(search());
    const socket = connect(port, '127.0.0.1');
    let received = '';
    socket.on('data', (chunk) => (received += String(chunk)));
    const head = {
      host: '127.0.0.1',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...session,
    };
    const lines = Object.entries({ ...head, accept: 'application/json, text/event-stream' });
    const headers = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`POST /mcp HTTP/1.1\r\n${headers}content-length: ${body.length}\r\nexpect: 100-continue\r\n\r\n`);
    await once(socket, 'data');
    expect(received).toContain('100 Continue');
    socket.write(body.slice(0, 10));
    const closed = gateway.close();
    await refusesConnections();
    socket.write(body.slice(10));
    await once(socket, 'close');
    expect(received).toContain('"structuredContent"');
    await closed;
  });

  it('sends the whole of an answer that its client has not read yet', async () => {
    const stored = await post({ title: 'Long', text: 'word '.repeat(90_000) }, {}, '/api/v1/items');
    const { id } = (await stored.json()) as { readonly id: string };
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name: 'get_item', arguments: { item_id: id } } };
    const calls = Array.from({ length: BATCH_MESSAGES_MAX }, (_, i) => ({ ...call, id: i }));
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = request(`${gateway.url}/mcp`, { method: 'POST', headers }).end(JSON.stringify(calls));
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const closed = gateway.close();
    await refusesConnections();
    const received = await text(response);
    // Far more than the buffers of a connection hold.
    expect(received.length).toBeGreaterThan(16_000_000);
    const answers = JSON.parse(received) as Loose[];
    expect(answers.map((answer) => answer.id).sort((a, b) => a - b)).toEqual(calls.map((each) => each.id));
    await closed;
  });

  it('sends the answer of a call on its /mcp/sse stream before it ends the stream', async () => {
    const stream = (await get('/mcp/sse')).body!.pipeThrough(new TextDecoderStream()).getReader();
    let received = (await stream.read()).value!;
    const path = /data: (\S+)/.exec(received)![1]!;
    const searches = hold('chunks.search');
    expect((await post(search(), {}, path)).status).toBe(202);
    await searches.arrived;
    const closed = gateway.close();
    await refusesConnections();
    searches.letGo();
    for (let part = await stream.read(); !part.done; part = await stream.read()) received += part.value;
    expect(answerIn(received)).toMatchObject({ id: 7, result: { structuredContent: { mode: 'hybrid' } } });
    await closed;
  });

  it('ends open streams without cutting them', async () => {
    const listen = {
      jsonrpc: '2.0',
      id: 1,
      method: 'subscriptions/listen',
      params: { _meta: META, notifications: {} },
    };
    const streams = await Promise.all([
      get('/mcp', await newSession()),
      get('/mcp/sse'),
      get('/api/v1/events'),
      post(listen, modern('subscriptions/listen')),
    ]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const ended = Promise.all(streams.map((stream) => stream.text()));
    await gateway.close();
    await ended;
  });

  it('can be stopped again while it stops', async () => {
    const searches = hold('chunks.search');
    const response = post(search());
    await searches.arrived;
    const closed = Promise.all([gateway.close(), gateway.close()]);
    searches.letGo();
    expect((await answerOf(await response)).id).toBe(7);
    await closed;
  });
});

describe('a gateway that waits for its load balancer', () => {
  beforeEach(() => start({ stopDelayMs: 300 }));

  it('serves new connections meanwhile, and every answer closes its connection', async () => {
    const before = await get('/healthz');
    expect(before.headers.get('connection')).toBe('keep-alive');
    const closed = gateway.close();
    expect((await get('/readyz')).status).toBe(503);
    const answer = await post(search(), { connection: 'keep-alive' });
    expect(answer.headers.get('connection')).toBe('close');
    expect((await answerOf(answer)).id).toBe(7);
    await closed;
    await refusesConnections();
  });
});
