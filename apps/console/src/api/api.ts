import { ApiError, apiErrorOf, asApiError } from './api-error.js';
import type { AnswerTo, Operation, SearchAnswer, SearchMode } from './answers.js';
import { jsonBody, requestOf, type CallArguments } from './call.js';

const SEARCH_LIMIT = 20;

const parse = (text: string): unknown => {
  try {
    return text === '' ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
};

/** The last event of a stream, or the body itself: /mcp may answer with either. */
const rpcBody = (text: string): unknown => parse(/^data: (.*)$/m.exec(text)?.[1] ?? text);

interface RpcAnswer {
  readonly error?: { readonly message: string };
  readonly result?: {
    readonly isError?: boolean;
    readonly structuredContent?: unknown;
    readonly content?: readonly { readonly text?: string }[];
  };
}

const request = async (path: string, init: RequestInit): Promise<Response> => {
  const response = await fetch(path, { ...init, cache: 'no-store', credentials: 'omit' }).catch((thrown: unknown) => {
    throw init.signal?.aborted ? thrown : asApiError(thrown);
  });
  if (response.ok) return response;
  throw apiErrorOf(response.status, parse(await response.text()));
};

/** Redeems the one-time code of a sign-in link for its token; the only call without a token. */
export const redeemCode = async (code: string): Promise<string> => {
  const response = await request('/api/v1/sign-in', { method: 'POST', ...jsonBody({ code }) });
  return ((await response.json()) as AnswerTo<'POST /sign-in'>).token;
};

/** Calls the gateway that served this page with one token. */
export class Api {
  constructor(
    private readonly token: string,
    private readonly onUnauthorized: () => void,
  ) {}

  async call<O extends Operation>(operation: O, ...[call]: CallArguments<O>): Promise<AnswerTo<O>> {
    const { path, init } = requestOf(operation, call ?? {});
    return parse(await this.read(path, init)) as AnswerTo<O>;
  }

  /**
   * Chunks can be searched over MCP only, so the console searches as an agent would: sensitive folders are excluded.
   */
  async search(query: string, mode: SearchMode): Promise<SearchAnswer> {
    const text = await this.read('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'search_knowledge_base', arguments: { query, mode, limit: SEARCH_LIMIT, explain: true } },
      }),
    });
    const { error, result } = (rpcBody(text) ?? {}) as RpcAnswer;
    const failure = error?.message ?? (result?.isError ? result.content?.[0]?.text : undefined);
    if (failure !== undefined || !result)
      throw new ApiError(400, 'search.failed', failure ?? 'the search gave no answer');
    return result.structuredContent as SearchAnswer;
  }

  /** The open stream of server-sent events. */
  async events(signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    const response = await this.fetch('/api/v1/events', { headers: { accept: 'text/event-stream' }, signal });
    if (!response.body) throw new ApiError(0, 'network', 'the stream has no body');
    return response.body;
  }

  private async read(path: string, init: RequestInit): Promise<string> {
    return (await this.fetch(path, init)).text();
  }

  private async fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('authorization', `Bearer ${this.token}`);
    return request(path, { ...init, headers }).catch((thrown: unknown) => {
      if (thrown instanceof ApiError && thrown.status === 401) this.onUnauthorized();
      throw thrown;
    });
  }
}
