import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The product under test, as the global setup has started it. */
export const underTest = JSON.parse(process.env['CAIRN_E2E']!) as {
  readonly profile: 'standalone' | 'cluster';
  readonly url: string;
  /** Where the gateway's health and metrics are. */
  readonly opsUrl: string;
  readonly mcpUrl: string;
  readonly token: string;
  /** The environments of further processes, each with its own user at the broker where there are several. */
  readonly envs: Readonly<Record<'gateway' | 'cli', { readonly NATS_URL: string }>>;
  /** The ports on this machine where the product connects to external MCP servers. */
  readonly stubPorts: readonly number[];
  /** One more of those ports, where no suite starts a server. */
  readonly closedPort: number;
  /** A directory that accounts of the folder connector may read. */
  readonly connectorRoot: string;
};

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: Record<string, any>;
}

/** A client of one of the SDKs, reduced to what the suites need. */
export interface ToolClient {
  listTools(): Promise<{ name: string; description?: string; inputSchema: any; outputSchema?: any }[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  read(uri: string): Promise<string>;
  close(): Promise<void>;
}

const writes = new Map<string, number>();

/** The position that the following projections are known to have applied. */
let followed = 0;

const STORING_TOOLS: ReadonlySet<string> = new Set([
  'store_knowledge',
  'add_to_knowledge',
  'remember',
  'commit_to_folio',
]);
const STORING_ROUTES = /^POST \/(items|items:batch|log-cards|edges|confirmations\/[^/]+)$/;

/** The answer of a call that stores one text, or of a batch. */
interface Stored {
  readonly position?: unknown;
  readonly results?: readonly { readonly position?: unknown }[];
}

/**
 * Records which texts were stored by which token: the product promises a token its own writes in the next call, but not
 * those of another. A change to existing data is visible to everyone with the answer, so it is never recorded.
 */
const noteStore = (token: string, call: unknown, answer: Stored | undefined): void => {
  const stores = typeof call === 'string' && (STORING_TOOLS.has(call) || STORING_ROUTES.test(call));
  const positions = [answer, ...(answer?.results ?? [])].map((stored) => Number(stored?.position ?? 0));
  if (stores && Math.max(...positions) > 0) writes.set(token, Math.max(...positions));
};

/**
 * Waits, on the cluster, until OpenSearch has the texts that *other* tokens stored. A token's own stores are never
 * waited for, and standalone promises all writes at once: there, a test that needs a wait has found a defect.
 */
const othersFollowed = async (token: string): Promise<void> => {
  if (underTest.profile === 'standalone') return;
  const others = Math.max(0, ...[...writes].filter(([writer]) => writer !== token).map(([, position]) => position));
  const deadline = Date.now() + 30_000;
  while (followed < others) {
    const { body } = await rest(underTest.token, 'GET', '/projections');
    followed = body.items.find(({ name }: { name: string }) => name === 'lexical').checkpoint;
    if (Date.now() > deadline) throw new Error(`lexical stands at ${followed} and does not reach ${others}`);
  }
};

const wrap = (client: Client, token: string): ToolClient => ({
  listTools: async () => (await client.listTools()).tools as never,
  call: async (name, args) => {
    await othersFollowed(token);
    const answer = (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer;
    noteStore(token, name, answer.structuredContent);
    return answer;
  },
  read: async (uri) => ((await client.readResource({ uri })).contents[0] as { text: string }).text,
  close: () => client.close(),
});

const requestInit = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });
const info = { name: 'cairn-e2e', version: '1.0.0' };

/** The three ways a client may connect: both protocol eras on /mcp, and the old HTTP+SSE transport. */
export const CONNECT: Record<string, (token: string) => Promise<ToolClient>> = {
  'initialize era': async (token) => {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(underTest.mcpUrl), requestInit(token)));
    return wrap(client, token);
  },
  'stateless era': async (token) => {
    const client = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new ModernTransport(new URL(underTest.mcpUrl), requestInit(token)));
    return wrap(client as unknown as Client, token);
  },
  'HTTP+SSE': async (token) => {
    const client = new Client(info);
    await client.connect(new SSEClientTransport(new URL(`${underTest.url}/mcp/sse`), requestInit(token)));
    return wrap(client, token);
  },
};

export const ERAS = Object.keys(CONNECT);
export const connect = (token: string, era = 'initialize era'): Promise<ToolClient> => CONNECT[era]!(token);

export interface RestAnswer {
  readonly status: number;
  readonly body: any;
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Node notices a closed connection only in later turns of the event loop. None pass while a suite is loaded, so its
 * first request would be sent over a connection that the previous suite has left.
 */
const fetchNow: typeof fetch = async (...args) => {
  await nextTurn();
  await nextTurn();
  return fetch(...args);
};

export const rest = async (
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RestAnswer> => {
  const response = await fetchNow(`${underTest.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const answer = text === '' ? undefined : JSON.parse(text);
  noteStore(token, `${method} ${path}`, answer);
  return { status: response.status, body: answer };
};

/** Sends a file as a form. */
export const upload = async (
  token: string,
  path: string,
  [name, content]: readonly [name: string, content: string],
  headers: Record<string, string> = {},
): Promise<RestAnswer> => {
  const form = new FormData();
  form.append('file', new Blob([content]), name);
  const response = await fetchNow(`${underTest.url}/api/v1${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, ...headers },
    body: form,
  });
  const answer = JSON.parse(await response.text());
  return { status: response.status, body: answer };
};

let counter = 0;

/** Each suite works in its own workspace, so suites cannot see each other. */
export const newWorkspace = async (): Promise<{ readonly id: string; readonly token: string }> => {
  const slug = `e2e-${process.pid}-${Date.now().toString(36)}-${counter++}`;
  const { status, body } = await rest(underTest.token, 'POST', '/workspaces', { slug, name: slug });
  if (status !== 201) throw new Error(`no workspace: ${status} ${JSON.stringify(body)}`);
  return { id: body.workspace.id, token: body.adminToken };
};

export const newToken = async (admin: string, grant: Record<string, unknown>): Promise<string> => {
  const { status, body } = await rest(admin, 'POST', '/tokens', { name: 'test', isUnscoped: true, ...grant });
  if (status !== 201) throw new Error(`no token: ${status} ${JSON.stringify(body)}`);
  return body.token;
};

/** A bare JSON-RPC post, as curl would send it. */
export const rpc = async (
  token: string,
  message: unknown,
  more: Record<string, string> = {},
): Promise<{ status: number; body: any }> => {
  await othersFollowed(token);
  const response = await fetchNow(underTest.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...more,
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  const answer = data === '' ? undefined : JSON.parse(data);
  noteStore(token, (message as { params?: { name?: unknown } }).params?.name, answer?.result?.structuredContent);
  return { status: response.status, body: answer };
};

export const callRpc = (token: string, name: string, args: unknown) =>
  rpc(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

const hourOf = (time: number): number => Math.floor(time / 3_600_000);

/** Hourly counts reset at the full hour, so a check that the reset interrupted is repeated. */
export const withinOneHour = async (check: () => Promise<void>): Promise<void> => {
  const startedIn = hourOf(Date.now());
  await check().catch((thrown: unknown) => {
    if (hourOf(Date.now()) === startedIn) throw thrown;
    return check();
  });
};

const STATELESS = '2026-07-28';
const STATELESS_META = {
  'io.modelcontextprotocol/protocolVersion': STATELESS,
  'io.modelcontextprotocol/clientCapabilities': {},
};

type BareRequest = (token: string, method: string, params: Record<string, unknown>) => ReturnType<typeof rpc>;

/** A bare request in the format of either era on /mcp: no session, no SDK. */
export const BARE_REQUESTS: Record<string, BareRequest> = {
  'initialize era': (token, method, params) => rpc(token, { jsonrpc: '2.0', id: 1, method, params }),
  'stateless era': (token, method, params) =>
    rpc(
      token,
      { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: STATELESS_META } },
      {
        'mcp-protocol-version': STATELESS,
        'mcp-method': method,
        'mcp-name': String(params['name'] ?? params['uri']),
      },
    ),
};
export const BARE_ERAS = Object.keys(BARE_REQUESTS);

type BareCall = (token: string, name: string, args: unknown) => ReturnType<typeof rpc>;

export const BARE_CALLS: Record<string, BareCall> = Object.fromEntries(
  Object.entries(BARE_REQUESTS).map(([era, request]): [string, BareCall] => [
    era,
    (token, name, args) => request(token, 'tools/call', { name, arguments: args }),
  ]),
);

/** Waits until the item's vectors exist. */
export const embedded = async (token: string, itemId: string): Promise<void> => {
  const deadline = Date.now() + 60_000;
  for (;;) {
    const { body } = await rest(token, 'GET', `/items/${itemId}`);
    if (body.embeddingStatus === 'ready') return;
    if (Date.now() > deadline) throw new Error(`item ${itemId} got no vectors: ${JSON.stringify(body)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

export const storeItem = async (
  token: string,
  item: Record<string, unknown>,
): Promise<{ id: string; chunkIds: string[]; position: number }> => {
  const { status, body } = await rest(token, 'POST', '/items', item);
  if (status !== 201) throw new Error(`not stored: ${status} ${JSON.stringify(body)}`);
  return body;
};
