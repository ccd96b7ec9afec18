import type { Era } from './workloads.js';

/** A request that is fully prepared before the measurement starts. */
export interface PreparedRequest {
  readonly headers: Readonly<Record<string, string | number>>;
  readonly body: Buffer;
}

const REVISION = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': REVISION,
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A `tools/call`. `initialize` is the single post of the older era, without a session. */
export const toolCall = (
  era: Era,
  name: string,
  args: Readonly<Record<string, unknown>>,
  token?: string,
): PreparedRequest => {
  const isStateless = era === 'stateless';
  const params = { name, arguments: args, ...(isStateless ? { _meta: META } : {}) };
  const body = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
  return {
    headers: {
      'content-type': 'application/json',
      'content-length': body.length,
      accept: 'application/json, text/event-stream',
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(isStateless ? { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': name } : {}),
    },
    body,
  };
};
