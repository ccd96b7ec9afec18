import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { STREAMS_PER_TOKEN_MAX } from '@cairn/contracts';
import { ServiceProcess } from '@cairn/local-servers';
import { startRoundRobinProxy, type RoundRobinProxy } from '@cairn/testing';
import { newToken, newWorkspace, underTest } from './under-test.js';

const [SESSIONS, CALLS_PER_SESSION] = [30, 15];
const [SSE_CLIENTS, CALLS_PER_STREAM] = [100, 2];
const WRITES = 200;
/** Below the number of requests that a gateway accepts at once from one workspace. */
const AT_ONCE = 40;

let replicas: readonly ServiceProcess[];
let proxy: RoundRobinProxy;
let admin: string;
let tokens: readonly string[];
const hangUps: AbortController[] = [];
/** Ends every stream that is open. */
const hangUpAll = (): void => hangUps.splice(0).forEach((hangUp) => hangUp.abort());

beforeAll(async () => {
  replicas = await Promise.all(
    Array.from({ length: 3 }, async () => (await ServiceProcess.on('gateway', underTest.envs.gateway)).start()),
  );
  proxy = await startRoundRobinProxy(replicas.map(({ url }) => url));
  admin = (await newWorkspace()).token;
  const grant = { scopes: ['knowledge:read', 'knowledge:write', 'read'], rateLimitPerHour: null };
  tokens = await Promise.all(Array.from({ length: SSE_CLIENTS / STREAMS_PER_TOKEN_MAX }, () => newToken(admin, grant)));
});

afterAll(async () => {
  hangUpAll();
  await proxy.close();
  await Promise.all(replicas.map((replica) => replica.end('SIGTERM')));
});

/** Runs the work for each number below `count`, some of them at once. */
const forEach = async (count: number, work: (i: number) => Promise<void>): Promise<void> => {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, count) }, lane));
};

const post = (url: string, token: string, message: object, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify({ jsonrpc: '2.0', ...message }),
  });

const INITIALIZE = {
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'e2e', version: '1' } },
};
const call = (id: number, name: string, args: object) => ({
  id,
  method: 'tools/call',
  params: { name, arguments: args },
});
const MESSAGES = [
  (id: number) => ({ id, method: 'ping' }),
  (id: number) => ({ id, method: 'tools/list' }),
  (id: number) => call(id, 'search_knowledge_base', { query: 'harbour', mode: 'keyword', limit: 1 }),
];

const openSession = async (url: string, token: string): Promise<Record<string, string>> => {
  const response = await post(`${url}/mcp`, token, { id: 0, ...INITIALIZE });
  expect(response.status).toBe(200);
  return { 'mcp-session-id': response.headers.get('mcp-session-id')!, 'mcp-protocol-version': '2025-11-25' };
};

const answerIn = async (session: Record<string, string>, token: string, message: { id: number }): Promise<void> => {
  const response = await post(`${proxy.url}/mcp`, token, message, session);
  const { id, result } = (await response.json()) as { id: number; result?: object };
  expect([response.status, id, typeof result]).toEqual([200, message.id, 'object']);
};

/** A client of HTTP+SSE, reduced to its wire. */
class SseClient {
  private text = '';
  private readonly decoder = new TextDecoder();

  private constructor(
    private readonly token: string,
    private readonly reader: ReadableStreamDefaultReader<Uint8Array>,
  ) {}

  path = '';

  static async open(url: string, token: string): Promise<SseClient> {
    const headers = { authorization: `Bearer ${token}` };
    const hangUp = new AbortController();
    hangUps.push(hangUp);
    const response = await fetch(`${url}/mcp/sse`, { headers, signal: hangUp.signal });
    expect(response.status).toBe(200);
    const client = new SseClient(token, response.body!.getReader());
    client.path = (await client.nextData())!;
    return client;
  }

  post(message: object): Promise<Response> {
    return post(`${proxy.url}${this.path}`, this.token, message);
  }

  async ask(message: { id: number }): Promise<void> {
    expect((await this.post(message)).status).toBe(202);
    const { id, result } = JSON.parse((await this.nextData())!);
    expect([id, typeof result]).toEqual([message.id, 'object']);
  }

  /** The data of the next event; undefined at the end of the stream. */
  async nextData(): Promise<string | undefined> {
    for (;;) {
      const event = /^((?:.+\n)+)\n/.exec(this.text);
      if (event) {
        this.text = this.text.slice(event[0].length);
        const data = /^data: (.*)$/m.exec(event[1]!)?.[1];
        if (data !== undefined) return data;
        continue;
      }
      const { value, done } = await this.reader.read().catch(() => ({ value: undefined, done: true }));
      if (done) return undefined;
      this.text += this.decoder.decode(value, { stream: true });
    }
  }
}

const tokenOf = (i: number): string => tokens[i % tokens.length]!;

describe('three gateways behind a proxy without affinity', () => {
  it(`serve ${SESSIONS} sessions of ${CALLS_PER_SESSION} calls each`, async () => {
    const before = [...proxy.answers];
    await forEach(SESSIONS, async (i) => {
      const session = await openSession(proxy.url, tokenOf(i));
      for (let id = 1; id <= CALLS_PER_SESSION; id++)
        await answerIn(session, tokenOf(i), MESSAGES[id % MESSAGES.length]!(id));
    });
    proxy.answers.forEach((count, i) => expect(count).toBeGreaterThan(before[i]!));
  });

  it(`serve ${SSE_CLIENTS} SSE streams at once, whose messages arrive anywhere`, async () => {
    const clients: SseClient[] = [];
    await forEach(SSE_CLIENTS, async (i) => void clients.push(await SseClient.open(proxy.url, tokenOf(i))));
    await forEach(SSE_CLIENTS, async (i) => {
      await clients[i]!.ask({ id: 0, ...INITIALIZE });
      for (let id = 1; id <= CALLS_PER_STREAM; id++) await clients[i]!.ask(MESSAGES[id % MESSAGES.length]!(id));
    });
    hangUpAll();
  });
});

describe('a write through one gateway and a read through another', () => {
  it(`are in order ${WRITES} times: the read finds the write or says that it is stale`, async () => {
    const outcomes = { found: 0, stale: 0, missed: 0 };
    await forEach(WRITES, async (i) => {
      const word = `zq${randomUUID().replaceAll('-', '')}`;
      const [writer, reader] = [replicas[i % 3]!, replicas[(i + 1) % 3]!];
      const entry = { title: `Order ${i}`, body: `The word is ${word}.` };
      const stored = await post(`${writer.url}/mcp`, tokenOf(i), call(1, 'store_knowledge', entry));
      expect(((await stored.json()) as any).result.isError).toBeUndefined();
      const query = { query: word, mode: 'keyword', limit: 1 };
      const answer = await post(`${reader.url}/mcp`, tokenOf(i), call(2, 'search_knowledge_base', query));
      const { hits, stale } = ((await answer.json()) as any).result.structuredContent;
      outcomes[hits.length > 0 ? 'found' : stale ? 'stale' : 'missed']++;
    });
    expect(outcomes.missed).toBe(0);
    expect(outcomes.found).toBeGreaterThan(0);
  });
});

describe('a gateway that is killed', () => {
  it('ends no session, only its own streams; their messages get 404 at once, and a new stream goes on', async () => {
    const token = tokenOf(0);
    const sessions = await Promise.all(replicas.map(({ url }) => openSession(url, token)));
    const clients = await Promise.all(replicas.map(({ url }) => SseClient.open(url, token)));
    await replicas[0]!.app.end('SIGKILL');
    for (const session of sessions) for (let id = 1; id <= 6; id++) await answerIn(session, token, MESSAGES[1]!(id));
    const [dead, ...living] = clients;
    expect(await dead!.nextData()).toBeUndefined();
    for (let i = 0; i < 4; i++) expect((await dead!.post({ id: 1, method: 'ping' })).status).toBe(404);
    for (const client of living) for (let id = 1; id <= 4; id++) await client.ask(MESSAGES[0]!(id));
    const again = await SseClient.open(proxy.url, token);
    for (let id = 1; id <= 4; id++) await again.ask(MESSAGES[0]!(id));
  });
});
