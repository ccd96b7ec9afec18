import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const TOOL = { name: 'look', description: 'Looks.', inputSchema: { type: 'object', properties: {} } };
const INITIALIZED = {
  protocolVersion: '2025-06-18',
  capabilities: { tools: {} },
  serverInfo: { name: 'plain', version: '1.0.0' },
};
const RESULTS: Readonly<Record<string, object>> = { initialize: INITIALIZED, 'tools/list': { tools: [TOOL] } };

const bodyOf = async (req: IncomingMessage): Promise<any> => {
  let text = '';
  for await (const chunk of req) text += String(chunk);
  return text === '' ? {} : JSON.parse(text);
};

/** A minimal MCP server with the tool `look`, on the first free port of the given ones. */
export const startPlainServer = async ([port, ...others]: readonly number[]): Promise<string> => {
  const answerTo = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { id, method } = await bodyOf(req);
    const result = RESULTS[method];
    if (!result) return void res.writeHead(method?.startsWith('notifications/') ? 202 : 400).end();
    const answer = JSON.stringify({ jsonrpc: '2.0', id, result });
    res.writeHead(200, { 'content-type': 'application/json' }).end(answer);
  };
  const server = createServer((req, res) => void answerTo(req, res));
  server.unref().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (thrown) {
    if (others.length === 0) throw thrown;
    return startPlainServer(others);
  }
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
};
