import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** The product under test, as the global setup has started it. */
export const underTest = JSON.parse(process.env['CAIRN_E2E']!) as {
  readonly profile: 'standalone' | 'cluster';
  readonly url: string;
  readonly mcpUrl: string;
  readonly token: string;
};

export interface ToolAnswer {
  readonly isError?: boolean;
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: Record<string, any>;
}

/** A client of one of the SDKs, cut down to what the suites ask. */
export interface ToolClient {
  listTools(): Promise<{ name: string; description?: string; inputSchema: any; outputSchema?: any }[]>;
  call(name: string, args: Record<string, unknown>): Promise<ToolAnswer>;
  read(uri: string): Promise<string>;
  close(): Promise<void>;
}

const wrap = (client: Client): ToolClient => ({
  listTools: async () => (await client.listTools()).tools as never,
  call: async (name, args) => (await client.callTool({ name, arguments: args })) as unknown as ToolAnswer,
  read: async (uri) => ((await client.readResource({ uri })).contents[0] as { text: string }).text,
  close: () => client.close(),
});

const requestInit = (token: string) => ({ requestInit: { headers: { Authorization: `Bearer ${token}` } } });
const info = { name: 'cairn-e2e', version: '1.0.0' };

/** The three ways a client may come: both protocol eras on /mcp, and the old HTTP+SSE transport. */
export const CONNECT: Record<string, (token: string) => Promise<ToolClient>> = {
  'initialize era': async (token) => {
    const client = new Client(info);
    await client.connect(new StreamableHTTPClientTransport(new URL(underTest.mcpUrl), requestInit(token)));
    return wrap(client);
  },
  'stateless era': async (token) => {
    const client = new ModernClient(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(new ModernTransport(new URL(underTest.mcpUrl), requestInit(token)));
    return wrap(client as unknown as Client);
  },
  'HTTP+SSE': async (token) => {
    const client = new Client(info);
    await client.connect(new SSEClientTransport(new URL(`${underTest.url}/mcp/sse`), requestInit(token)));
    return wrap(client);
  },
};

export const ERAS = Object.keys(CONNECT);
export const connect = (token: string, era = 'initialize era'): Promise<ToolClient> => CONNECT[era]!(token);

export interface RestAnswer {
  readonly status: number;
  readonly body: any;
}

export const rest = async (
  token: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<RestAnswer> => {
  const response = await fetch(`${underTest.url}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
};

let counter = 0;

/** Each suite works in a workspace of its own, so that suites cannot see each other. */
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
export const rpc = async (token: string, message: unknown): Promise<{ status: number; body: any }> => {
  const response = await fetch(underTest.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: typeof message === 'string' ? message : JSON.stringify(message),
  });
  const text = await response.text();
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, body: data === '' ? undefined : JSON.parse(data) };
};

export const callRpc = (token: string, name: string, args: unknown) =>
  rpc(token, { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } });

/** Waits until the item's vectors are there. */
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
