import type { ServerResponse } from 'node:http';
import { ERROR_TABLE, httpStatusOf } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { setRetryAfter } from '../http/retry-after.js';

export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** The code that both SDKs return for a fault in the transport rather than in the message. */
export const TRANSPORT_ERROR = -32000;

/** Thrown by handlers: both SDKs pass `code`, `message` and `data` on unchanged, without a prefix. */
export class RpcError extends Error {
  override readonly name = 'RpcError';

  constructor(
    readonly code: number,
    message: string,
    readonly data?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
  }
}

const RPC_CODES: Partial<Record<string, number>> = {
  'input.malformed': PARSE_ERROR,
  'input.invalid': INVALID_PARAMS,
  'input.too_large': INVALID_REQUEST,
  'route.unsupported_media': INVALID_REQUEST,
  'host.refused': TRANSPORT_ERROR,
  'origin.refused': TRANSPORT_ERROR,
  'route.method_not_allowed': TRANSPORT_ERROR,
};

/** The answer to a message that never reached a handler: an HTTP status and a JSON-RPC error without an id. */
export const sendRpcRefusal = (
  res: ServerResponse,
  error: AppError,
  correlationId: string,
  { code = RPC_CODES[error.code] ?? INTERNAL_ERROR, id = null as string | number | null } = {},
): void => {
  const { field, limit } = error.details;
  const { retry } = ERROR_TABLE[error.kind];
  const message = error.kind === 'defect' ? 'Internal error' : error.message;
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, data: { code: error.code, retry, field, limit, correlationId } },
  });
  setRetryAfter(res, error);
  res.writeHead(httpStatusOf(error), { 'content-type': 'application/json' }).end(body);
};
