import type { Args, Place, Schema } from './bad-input-schema.js';
import { BARE_CALLS, rpc, underTest } from './under-test.js';

/** The part of the request that carries the fields of an operation. */
export type Part = 'arguments' | 'body' | 'form' | 'query' | 'path' | 'header';
export type Parts = Partial<Readonly<Record<Part, Args>>>;

export interface Input {
  readonly part: Part;
  readonly place: Place;
  readonly schema: Schema;
}

export interface Outcome {
  readonly isRefused: boolean;
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly limit?: unknown;
  /** The answer of a successful call. */
  readonly answer: any;
  readonly raw: string;
}

/** A tool or a route of the running product, from its published schema. */
export interface Operation {
  readonly name: string;
  readonly inputs: readonly Input[];
  readonly send: (token: string, parts: Parts, era?: string) => Promise<Outcome>;
}

/**
 * Invalid text and excessive nesting are rejected before the call reaches a tool; one tool answers with JSON-RPC
 * errors.
 */
const toolOutcome = ({ status, body }: { status: number; body: any }): Outcome => {
  const { error, result } = body;
  const raw = JSON.stringify(body);
  const fault = error ? { ...error.data, message: error.message, code: String(error.data.code ?? error.code) } : result;
  if (error) return { isRefused: true, status, answer: undefined, raw, ...fault };
  const isRefused = result.isError === true;
  const { code = '', message = '', field, limit } = isRefused ? result.structuredContent : {};
  return { isRefused, status, code, message, field, limit, answer: result.structuredContent, raw };
};

const toolOperation = ({ name, inputSchema }: { name: string; inputSchema: Schema }): Operation => ({
  name,
  inputs: [{ part: 'arguments', place: 'call', schema: inputSchema }],
  send: async (token, parts, era = 'initialize era') =>
    toolOutcome(await BARE_CALLS[era]!(token, name, parts.arguments ?? {})),
});

const textOf = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

/** `file` is `[name, content]`; everything else is text, or JSON as text. */
export const formOf = (fields: Args): FormData => {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) {
    if (name !== 'file') form.append(name, textOf(value));
    else form.append(name, new Blob([(value as string[])[1]!]), (value as string[])[0]);
  }
  return form;
};

const queryOf = (fields: Args): string =>
  Object.entries(fields)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`)
    .join('&');

const filled = (path: string, values: Args): string =>
  path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(values[name])));

const sendRoute = async (method: string, path: string, token: string, parts: Parts): Promise<Outcome> => {
  const query = queryOf(parts.query ?? {});
  const response = await fetch(`${underTest.url}${filled(path, parts.path ?? {})}${query && `?${query}`}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(parts.body && { 'content-type': 'application/json' }),
      ...(parts.header as Record<string, string>),
    },
    ...(parts.body && { body: JSON.stringify(parts.body) }),
    ...(parts.form && { body: formOf(parts.form) }),
  });
  const raw = await response.text();
  const answer = raw === '' ? undefined : JSON.parse(raw);
  const error = answer?.error ?? itemErrorOf(answer);
  const { code = '', message = '', field, limit, status = response.status } = error ?? {};
  return { isRefused: !response.ok || error !== undefined, status, code, message, field, limit, answer, raw };
};

/** A batch of one item is refused if its item is. */
const itemErrorOf = (answer: any): any =>
  Array.isArray(answer?.results) && answer.results.length === 1 ? answer.results[0].error : undefined;

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly schema: Schema;
}

const parameterInputs = (parameters: readonly Parameter[]): Input[] =>
  (['path', 'query', 'header'] as const).flatMap((part) => {
    const own = parameters.filter((parameter) => parameter.in === part);
    if (own.length === 0) return [];
    const properties = Object.fromEntries(own.map(({ name, schema }) => [name, schema]));
    return [{ part, place: 'text' as const, schema: { type: 'object', properties } }];
  });

const FORM = 'multipart/form-data';

/** A route that also accepts a form is two operations: the same fields, sent in two ways. */
const routeOperations = (method: string, path: string, { parameters, requestBody }: any): Operation[] => {
  const { 'application/json': json, [FORM]: form } = requestBody?.content ?? {};
  const name = `${method.toUpperCase()} ${path.replace('/api/v1', '')}`;
  const send: Operation['send'] = (token, parts) => sendRoute(method.toUpperCase(), path, token, parts);
  const bodyInputs: Input[] = json ? [{ part: 'body', place: 'json', schema: json.schema }] : [];
  const byJson = { name, inputs: [...bodyInputs, ...parameterInputs(parameters)], send };
  if (!form) return [byJson];
  return [byJson, { name: `${name} (form)`, inputs: [{ part: 'form', place: 'text', schema: form.schema }], send }];
};

export const publishedTools = async (): Promise<Operation[]> => {
  const { body } = await rpc(underTest.token, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
  return body.result.tools.map(toolOperation);
};

export const publishedRoutes = async (): Promise<Operation[]> => {
  const document: any = await (await fetch(`${underTest.url}/api/v1/openapi.json`)).json();
  return Object.entries<Record<string, any>>(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => routeOperations(method, path, operation)),
  );
};

/** Distinguishes a process from its replacement. */
export const processStart = async (): Promise<string> => {
  const metrics = await (await fetch(`${underTest.opsUrl}/metrics`)).text();
  return /^process_start_time_seconds\b.*$/m.exec(metrics)![0];
};

/** The smallest in-flight limit of a workspace: that of fetches and corrections. */
const AT_ONCE = 4;

/** Applies the action to each entry, a few at a time. */
export const forEachAtOnce = async <T>(all: readonly T[], act: (one: T) => Promise<void>): Promise<void> => {
  const left = all.values();
  const worker = async (): Promise<void> => {
    for (const one of left) await act(one);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
};
