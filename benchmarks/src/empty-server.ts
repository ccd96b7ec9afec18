/**
 * The floor: an MCP server without work, on the same two SDKs and node:http. Its tools answer with constants from the
 * file that its argument names. It has no checks and no token, and uses the SDKs in the cheapest way, so the ratios are
 * fair. Prints its port; ends when its standard input ends.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { Server as InitializeServer } from '@modelcontextprotocol/sdk/server/index.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js';

type Result = Record<string, unknown>;
type Call = { params?: unknown };

const [, , answersFile, port = '0'] = process.argv;
const answers = JSON.parse(readFileSync(answersFile!, 'utf8')) as Record<string, Result>;
const info = { name: 'empty', version: '1.0.0' };
const capabilities = { tools: {} };
const jsonSchemaValidator = new AjvJsonSchemaValidator();

const answer = ({ params }: Call): Promise<Result> =>
  Promise.resolve(answers[(params as { name: string }).name] ?? { content: [] });

const stateless = createMcpHandler(
  () => {
    const server = new Server(info, { capabilities });
    server.fallbackRequestHandler = answer;
    return server;
  },
  { legacy: 'reject' },
);

const serveInitializeEra = async (request: Request, parsedBody: unknown): Promise<Response> => {
  const transport = new WebStandardStreamableHTTPServerTransport({
    sessionIdGenerator: undefined as never,
    enableJsonResponse: true,
  });
  const server = new InitializeServer(info, { capabilities, jsonSchemaValidator });
  server.fallbackRequestHandler = answer;
  await server.connect(transport);
  const response = await transport.handleRequest(request, { parsedBody });
  await transport.close();
  return response;
};

const readBody = async (req: IncomingMessage): Promise<unknown> => {
  const chunks: Buffer[] = [];
  for await (const chunk of req) chunks.push(chunk as Buffer);
  return JSON.parse(Buffer.concat(chunks).toString());
};

/** The part of a request that the SDKs use: they receive the body separately. */
const webRequest = (req: IncomingMessage): Request => {
  const headers = new Headers(req.headers as Record<string, string>);
  const { signal } = new AbortController();
  return { method: 'POST', url: `http://localhost${req.url}`, headers, signal } as Request;
};

const serve = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
  const parsedBody = await readBody(req);
  const request = webRequest(req);
  const response =
    req.headers['mcp-protocol-version'] === undefined
      ? await serveInitializeEra(request, parsedBody)
      : await stateless.fetch(request, { parsedBody });
  res.writeHead(response.status, Object.fromEntries(response.headers));
  res.end(Buffer.from(await response.arrayBuffer()));
};

const server = createServer((req, res) => void serve(req, res));
server.listen(Number(port), '127.0.0.1', () => console.log((server.address() as AddressInfo).port));
process.stdin.on('end', () => process.exit(0)).resume();
