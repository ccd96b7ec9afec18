import type { IncomingMessage } from 'node:http';
import { BATCH_MESSAGES_MAX, codePoints, fail, MCP_NAME_CHARS_MAX, REQUEST_ID_CHARS_MAX } from '@cairn/contracts';

const PROTOCOL_VERSION_META = 'io.modelcontextprotocol/protocolVersion';

export type RequestId = string | number;

export interface RpcMessage {
  readonly jsonrpc: '2.0';
  readonly id?: RequestId;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const refuse = (field: string, message: string, limit?: number) =>
  fail('input.invalid', `${field} ${message}`, { field, ...(limit === undefined ? {} : { limit }) });

const checkId = (id: unknown): void => {
  if (typeof id === 'string') {
    if (codePoints(id) > REQUEST_ID_CHARS_MAX) {
      throw refuse('id', `must have at most ${REQUEST_ID_CHARS_MAX} characters`, REQUEST_ID_CHARS_MAX);
    }
  } else if (!Number.isSafeInteger(id)) throw refuse('id', 'must be a string or an integer');
};

const tooLong = (field: string) =>
  refuse(field, `must have at most ${MCP_NAME_CHARS_MAX} characters`, MCP_NAME_CHARS_MAX);

const isTooLong = (value: unknown): boolean =>
  typeof value === 'string' && value.length > MCP_NAME_CHARS_MAX && codePoints(value) > MCP_NAME_CHARS_MAX;

const at = (value: unknown, key: string): unknown => (isObject(value) ? value[key] : undefined);

/** Limits the names that an SDK repeats in full in its errors. None of them is long in a meaningful message. */
const checkNames = ({ method, params }: Record<string, unknown>): void => {
  if (isTooLong(method)) throw tooLong('method');
  for (const name of ['name', 'uri']) if (isTooLong(at(params, name))) throw tooLong(`params.${name}`);
  if (isTooLong(at(at(params, '_meta'), PROTOCOL_VERSION_META))) throw tooLong(`params._meta.${PROTOCOL_VERSION_META}`);
};

/** The same limit for the headers that repeat these names. */
export const checkNameHeaders = ({ headers }: IncomingMessage): void => {
  for (const name of ['mcp-protocol-version', 'mcp-method', 'mcp-name'])
    if (isTooLong(headers[name])) throw tooLong(name);
};

const checkMessage = (value: unknown): RpcMessage => {
  if (!isObject(value)) throw refuse('body', 'must be a JSON-RPC message');
  if (value['jsonrpc'] !== '2.0') throw refuse('jsonrpc', 'must be "2.0"');
  if ('id' in value) checkId(value['id']);
  const isReply = 'id' in value && ('result' in value || 'error' in value) && !('method' in value);
  if (!isReply && typeof value['method'] !== 'string') throw refuse('method', 'must be a string');
  if ('params' in value && !isObject(value['params'])) throw refuse('params', 'must be an object');
  checkNames(value);
  return value as unknown as RpcMessage;
};

/** Two requests with the same id could not be distinguished in the answer. */
const checkDistinctIds = (messages: readonly RpcMessage[]): void => {
  const ids = messages
    .filter((message) => message.method !== undefined)
    .flatMap(({ id }) => (id === undefined ? [] : [id]));
  if (new Set(ids).size < ids.length) throw refuse('id', 'must be different for each request of a batch');
};

/**
 * The messages of a body, each in the form of JSON-RPC 2.0 and within our limits; their content is not checked here.
 */
export const checkMessages = (body: unknown): readonly RpcMessage[] => {
  if (!Array.isArray(body)) return [checkMessage(body)];
  if (body.length === 0) throw refuse('body', 'must not be an empty batch');
  if (body.length > BATCH_MESSAGES_MAX) {
    throw refuse('body', `must have at most ${BATCH_MESSAGES_MAX} messages in a batch`, BATCH_MESSAGES_MAX);
  }
  const messages = body.map(checkMessage);
  checkDistinctIds(messages);
  return messages;
};
