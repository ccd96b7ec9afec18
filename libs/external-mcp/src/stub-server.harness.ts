import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server as HttpServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { createMcpHandler, Server as ModernServer } from '@modelcontextprotocol/server';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';

export interface StubTool {
  readonly name: string;
  readonly description?: string;
  readonly inputSchema?: object;
  readonly annotations?: object;
  readonly title?: string;
  readonly outputSchema?: object;
  readonly _meta?: object;
  readonly handle?: (args: Record<string, unknown>) => unknown;
}

interface RpcMessage {
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly cursor?: string; readonly arguments?: Record<string, unknown> };
}
/** Undefined for a request without a body. */
type RpcBody = RpcMessage | undefined;

export interface StubOptions {
  readonly era: 'initialize' | 'stateless' | 'sse';
  readonly path?: string;
  /** Uses the first free port of these; any port if left out. */
  readonly ports?: readonly number[];
  /** Requests without it are answered with 401. */
  readonly bearer?: string;
  /** Called for each list, so that a test can change the tools. */
  readonly tools: () => readonly StubTool[];
  /** Tools per page; all on one page if left out. */
  readonly pageSize?: number;
  /** Answers a request itself and returns true; everything else is left to the SDK. */
  readonly intercept?: (req: IncomingMessage, res: ServerResponse, body: RpcBody) => boolean;
}

export interface StubServer {
  readonly url: string;
  readonly origin: string;
  /** Bodies and headers of received requests. */
  readonly requests: {
    readonly method: string;
    readonly headers: IncomingMessage['headers'];
    readonly body: RpcBody;
  }[];
  readonly calls: { readonly name: string; readonly args: Record<string, unknown> }[];
  close(): Promise<void>;
}

const INFO = { name: 'stub', version: '1.0.0' };
const ANY_OBJECT = { type: 'object', properties: {} };

/** A tool that answers with one text. */
export const textTool = (name: string, text: string, more: Partial<StubTool> = {}): StubTool => ({
  name,
  description: `The tool ${name}.`,
  handle: () => ({ content: [{ type: 'text', text }] }),
  ...more,
});

const bodyOf = async (req: IncomingMessage): Promise<RpcBody> => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : (JSON.parse(text) as RpcBody);
};

/** The request handler for every era and transport. */
const answering = (options: StubOptions, calls: StubServer['calls']) => async (request: RpcMessage) => {
  const { params = {} } = request;
  if (request.method === 'tools/list') {
    const all = options.tools().map(({ handle: _, ...tool }) => ({ inputSchema: ANY_OBJECT, ...tool }));
    const from = Number(params.cursor ?? 0);
    const { pageSize = all.length } = options;
    const to = from + pageSize;
    return { tools: all.slice(from, to), ...(to < all.length && { nextCursor: String(to) }) };
  }
  if (request.method === 'tools/call') {
    const { name: called = '', arguments: args = {} } = params;
    calls.push({ name: called, args });
    const tool = options.tools().find(({ name }) => name === called);
    if (!tool?.handle) throw Object.assign(new Error('remote-words-4711'), { code: -32602 });
    return (await tool.handle(args)) as Record<string, unknown>;
  }
  throw Object.assign(new Error('Method not found'), { code: -32601 });
};

type Serve = (req: IncomingMessage, res: ServerResponse, body: RpcBody) => Promise<void>;
type Answer = ReturnType<typeof answering>;

const legacyServer = (answer: Answer): Server => {
  const server = new Server(INFO, { capabilities: { tools: { listChanged: true } } });
  server.fallbackRequestHandler = (request) => answer(request as RpcMessage);
  return server;
};

const initializeEra = (answer: Answer): Serve => {
  const sessions = new Map<string, StreamableHTTPServerTransport>();
  return async (req, res, body) => {
    const known = sessions.get(String(req.headers['mcp-session-id']));
    if (known) return known.handleRequest(req, res, body);
    if (body?.method !== 'initialize') return void res.writeHead(400).end('no session');
    const transport: StreamableHTTPServerTransport = new StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    await legacyServer(answer).connect(transport);
    await transport.handleRequest(req, res, body);
  };
};

const statelessEra = (answer: Answer): Serve => {
  const handler = createMcpHandler(
    () => {
      const server = new ModernServer(INFO, { capabilities: { tools: {} } });
      server.fallbackRequestHandler = (request) => answer(request as RpcMessage);
      return server;
    },
    { legacy: 'reject' },
  );
  return async (req, res, body) => {
    const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)] as [string, string]);
    const request = new Request(`http://${req.headers.host ?? ''}${req.url ?? ''}`, {
      method: req.method ?? 'POST',
      headers,
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const response = await handler.fetch(request, { parsedBody: body });
    res.writeHead(response.status, Object.fromEntries(response.headers));
    if (response.body) Readable.fromWeb(response.body).pipe(res);
    else res.end();
  };
};

const sseEra = (answer: Answer): Serve => {
  const streams = new Map<string, SSEServerTransport>();
  return async (req, res, body) => {
    const url = new URL(req.url ?? '/', 'http://localhost');
    if (req.method === 'GET') {
      const transport = new SSEServerTransport(url.pathname, res);
      streams.set(transport.sessionId, transport);
      return legacyServer(answer).connect(transport);
    }
    const stream = streams.get(url.searchParams.get('sessionId') ?? '');
    if (!stream) return void res.writeHead(405).end();
    await stream.handlePostMessage(req, res, body);
  };
};

const SERVE = { initialize: initializeEra, stateless: statelessEra, sse: sseEra };

const listen = async (http: HttpServer, [port, ...others]: readonly number[]): Promise<void> => {
  http.listen(port, '127.0.0.1');
  try {
    await once(http, 'listening');
  } catch (thrown) {
    if (others.length === 0) throw thrown;
    await listen(http, others);
  }
};

/** An MCP server of one era on loopback, built with the SDKs. */
export const startStubServer = async (options: StubOptions): Promise<StubServer> => {
  const { era, path = '/mcp', bearer, intercept } = options;
  const calls: StubServer['calls'] = [];
  const requests: StubServer['requests'] = [];
  const serve = SERVE[era](answering(options, calls));
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const body = await bodyOf(req);
    requests.push({ method: req.method ?? '', headers: req.headers, body });
    if (intercept?.(req, res, body)) return;
    if (new URL(req.url ?? '/', 'http://localhost').pathname !== path) return void res.writeHead(404).end();
    if (bearer !== undefined && req.headers.authorization !== `Bearer ${bearer}`) return void res.writeHead(401).end();
    await serve(req, res, body);
  };
  const http: HttpServer = createServer((req, res) => void handle(req, res).catch(() => res.destroy()));
  await listen(http, options.ports ?? [0]);
  http.unref();
  const origin = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
  const close = async (): Promise<void> => {
    if (!http.listening) return;
    http.closeAllConnections();
    http.close();
    await once(http, 'close');
  };
  return { url: `${origin}${path}`, origin, requests, calls, close };
};
