import type { BodyOf, Operation } from './answers.js';
import type { Operations } from './gateway-api.js';

type QueryOf<O extends Operation> = {
  readonly [K in keyof Operations[O]['query']]: Operations[O]['query'][K] | undefined;
};

/** The parameters of an operation, in addition to the token. */
export type Call<O extends Operation> = {
  readonly query?: QueryOf<O>;
  readonly body?: BodyOf<O>;
  /** Replaces `body` when a file is sent. */
  readonly form?: FormData;
  /** A request that is repeated with the same key takes effect once. */
  readonly idempotencyKey?: string;
} & (O extends `${string}{id}${string}` ? { readonly id: string } : unknown);

/** Optional if the operation needs no parameters. */
export type CallArguments<O extends Operation> =
  object extends Call<O> ? readonly [call?: Call<O>] : readonly [call: Call<O>];

const queryString = (query: object): string => {
  const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '');
  return given.length === 0 ? '' : `?${new URLSearchParams(given.map(([name, value]) => [name, String(value)]))}`;
};

export const jsonBody = (body: unknown) => ({
  body: JSON.stringify(body),
  headers: { 'content-type': 'application/json' },
});

interface AnyCall extends Omit<Call<Operation>, 'query' | 'body'> {
  readonly id?: string;
  readonly query?: object;
  readonly body?: unknown;
}

/** The request for an operation of the OpenAPI document, such as `GET /items/{id}`. */
export const requestOf = (
  operation: Operation,
  call: AnyCall,
): { readonly path: string; readonly init: RequestInit } => {
  const [method = '', template = ''] = operation.split(' ');
  const path = template.replace('{id}', encodeURIComponent(call.id ?? ''));
  const { headers, ...content } =
    call.form !== undefined
      ? { body: call.form, headers: {} }
      : call.body === undefined
        ? { headers: {} }
        : jsonBody(call.body);
  const key = call.idempotencyKey === undefined ? {} : { 'idempotency-key': call.idempotencyKey };
  const init = { method, ...content, headers: { ...headers, ...key } };
  return { path: `/api/v1${path}${queryString(call.query ?? {})}`, init };
};
