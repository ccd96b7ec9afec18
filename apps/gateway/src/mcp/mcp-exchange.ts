import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Caller } from '../cairn/cairn-client.js';
import type { Era, McpCaller } from './dispatcher.js';
import type { RpcMessage } from './message-check.js';

/** One authenticated HTTP request on its way to a leg. */
export interface McpExchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly caller: Caller;
  /** For a POST: the parsed body as it was sent, and its checked messages. */
  readonly body?: unknown;
  readonly messages: readonly RpcMessage[];
}

/**
 * The SDKs pass this through to handlers. It identifies the caller and never contains the credential: the legs do not
 * need it, so it cannot leak.
 */
export interface CallerInfo {
  token: string;
  clientId: string;
  scopes: string[];
  extra: { caller: McpCaller; method?: string | undefined };
}

/**
 * The revision that introduced links in tool results, and the header that carries the client's revision. Older clients
 * send none.
 */
const LINKS_SINCE = '2025-06-18';

const takesLinks = (req: IncomingMessage, era: Era): boolean =>
  era === 'stateless' || String(req.headers['mcp-protocol-version'] ?? '') >= LINKS_SINCE;

export const mcpCallerOf = ({ req, caller }: McpExchange, era: Era): McpCaller => ({
  ...caller,
  era,
  takesLinks: takesLinks(req, era),
});

export const infoOf = (caller: McpCaller, messages: readonly RpcMessage[]): CallerInfo => ({
  token: '',
  clientId: caller.principal.tokenId,
  scopes: [...caller.principal.scopes],
  extra: { caller, method: messages[0]?.method },
});

export const callerInfo = (exchange: McpExchange, era: Era): CallerInfo =>
  infoOf(mcpCallerOf(exchange, era), exchange.messages);

export const callerOf = (authInfo: { extra?: Record<string, unknown> } | undefined): McpCaller => {
  const caller = authInfo?.extra?.['caller'];
  if (!caller) throw new Error('a message arrived without its caller');
  return caller as McpCaller;
};
