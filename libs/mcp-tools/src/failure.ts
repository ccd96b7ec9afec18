import { ERROR_TABLE } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { trailerOf, type Trail } from './hint.js';
import { neutraliseAll } from './hygiene.js';

export interface ToolFailure {
  readonly isError: true;
  readonly content: readonly { readonly type: 'text'; readonly text: string }[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
}

export interface RpcFailure {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;
/** Published for `search_knowledge_base`, although it is in JSON-RPC's reserved range. */
export const RATE_LIMITED = -32605;

/** A defect reveals nothing to the caller except where to look in the log. */
const messageOf = (error: AppError): string =>
  error.kind === 'defect'
    ? 'something went wrong inside Cairn; the correlation id helps to find out what'
    : error.message;

/** The error details that a caller may see, and their names. */
const SHOWN_AS = {
  field: 'field',
  limit: 'limit',
  didYouMean: 'didYouMean',
  knownFields: 'knownFields',
  faults: 'faults',
  chunkOf: 'chunkOf',
  retryAfterSec: 'retry_after_sec',
  suggestedName: 'suggestedName',
  candidates: 'candidates',
  engrams: 'engrams',
  confirmationId: 'confirmationId',
};

const detailsOf = ({ kind, details }: AppError): Record<string, unknown> => {
  if (kind === 'defect') return {};
  const shown = Object.entries(SHOWN_AS).filter(([key]) => key in details);
  return Object.fromEntries(shown.map(([key, name]) => [name, details[key]]));
};

const withTrail = ({ content, structuredContent, isError }: ToolFailure, trail: Trail): ToolFailure => ({
  isError,
  content: [...content, { type: 'text', text: trailerOf(trail) }],
  structuredContent: { ...structuredContent, hint: trail.hint, trace: trail.trace },
});

/** The failure of every tool except `search_knowledge_base`: an answer that the model can read and act on. */
export const toolFailure = (error: AppError, correlationId: string, trail?: Trail): ToolFailure => {
  const message = messageOf(error);
  const { retry } = ERROR_TABLE[error.kind];
  const text = `${error.code}: ${message}${retry ? ' (try again)' : ''} [correlationId ${correlationId}]`;
  // The message may contain names of folders.
  const { value } = neutraliseAll({
    isError: true as const,
    content: [{ type: 'text' as const, text }],
    structuredContent: { code: error.code, message, retry, ...detailsOf(error), correlationId },
  });
  return trail ? withTrail(value, trail) : value;
};

/** The JSON-RPC error for a message over the token's cap. */
export const rateLimitFailure = (error: AppError, correlationId: string): RpcFailure => ({
  code: RATE_LIMITED,
  message: `Rate limited: ${error.message}`,
  data: { code: error.code, retry: true, ...detailsOf(error), correlationId },
});

/** The JSON-RPC error codes that `search_knowledge_base` publishes. Undefined for a failure without a published code. */
export const rpcFailure = (error: AppError, correlationId: string): RpcFailure | undefined => {
  if (error.code === 'rate_limited') return rateLimitFailure(error, correlationId);
  if (error.kind === 'invalid') {
    return {
      code: INVALID_PARAMS,
      message: `Invalid params: ${error.message}`,
      data: { ...detailsOf(error), correlationId },
    };
  }
  if (error.kind === 'defect') {
    return { code: INTERNAL_ERROR, message: 'Internal error: the search failed', data: { correlationId } };
  }
  if (!ERROR_TABLE[error.kind].retry) return undefined;
  const message = 'Internal error: the search is not available at the moment, try again';
  return { code: INTERNAL_ERROR, message, data: { code: error.code, retry: true, correlationId } };
};
