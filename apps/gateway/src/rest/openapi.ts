import { BODY_BYTES_MAX } from '@cairn/contracts';
import { z } from 'zod';
import { SERVER_INFO } from '../server-info.js';
import { ErrorAnswer } from './answer.schema.js';
import { API_PREFIX, ROUTES } from './route-table.js';
import type { AnyRoute, Route, RouteAccess } from './route.js';

type Json = Record<string, unknown>;
type Upload = NonNullable<Route['upload']>;

interface FieldsSchema extends Json {
  readonly properties?: Record<string, Json>;
  readonly required?: string[];
}

export interface OpenApiDocument extends Json {
  readonly paths: Record<string, Record<string, Json>>;
}

const schemaOf = (schema: z.ZodType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return rest;
};

const parametersOf = (schema: z.ZodObject | undefined, place: 'path' | 'query'): Json[] => {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as FieldsSchema;
  return Object.entries(properties).map(([name, { description, ...own }]) => ({
    name,
    in: place,
    required: required.includes(name),
    ...(description ? { description } : {}),
    schema: own,
  }));
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'A UUID. The same request with the same key and the same token takes effect once.',
  schema: { type: 'string', format: 'uuid' },
};

const formSchema = ({ fields }: Upload): Json => {
  const { properties = {}, required = [], ...rest } = schemaOf(fields, 'input') as FieldsSchema;
  const file = { type: 'string', format: 'binary' };
  return { ...rest, properties: { file, ...properties }, required: ['file', ...required] };
};

const requestContent = (body: z.ZodObject, upload: Upload | undefined): Json => ({
  'application/json': { schema: schemaOf(body, 'input') },
  ...(upload && {
    'multipart/form-data': {
      schema: formSchema(upload),
      encoding: { tags: { explode: true }, source: { contentType: 'application/json' } },
    },
  }),
});

const EVENT_STREAM = { 'text/event-stream': { schema: { type: 'string' } } };

const needOf = (access: RouteAccess): string => {
  if (access === 'anybody') return 'no token';
  return access === 'instance admin' ? 'the first admin token' : `scope ${access}`;
};

const operationOf = (route: AnyRoute): Json => {
  const isOpen = route.access === 'anybody';
  const takesKey = route.method !== 'GET' && !isOpen && !route.takesNoKey;
  const content = route.isStream
    ? EVENT_STREAM
    : route.answer && { 'application/json': { schema: schemaOf(route.answer, 'output') } };
  return {
    summary: route.summary,
    description: `Needs: ${needOf(route.access)}.${route.note ? ` ${route.note}` : ''}`,
    parameters: [
      ...parametersOf(route.params, 'path'),
      ...parametersOf(route.query, 'query'),
      ...(takesKey ? [IDEMPOTENCY_KEY] : []),
    ],
    ...(route.body && { requestBody: { required: true, content: requestContent(route.body, route.upload) } }),
    responses: {
      [route.status]: { description: route.status === 204 ? 'Done' : 'The answer', ...(content && { content }) },
      default: {
        description: 'An error; what is out of scope is 404',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
    security: isOpen ? [] : [{ token: [] }],
  };
};

/** OpenAPI 3.1, from the very values that the requests are checked with. */
export const openApiDocument = (routes: readonly AnyRoute[] = ROUTES): OpenApiDocument => {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    (paths[`${API_PREFIX}${route.path}`] ??= {})[route.method.toLowerCase()] = operationOf(route);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: SERVER_INFO.title,
      version: SERVER_INFO.version,
      description:
        'REST side of Cairn. Unknown fields and parameters are refused; chunk-level search is MCP only. ' +
        `A JSON body has at most ${BODY_BYTES_MAX} bytes; more is 413, with the field body and that limit.`,
    },
    paths,
    components: {
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
      schemas: { Error: schemaOf(ErrorAnswer, 'output') },
    },
  };
};
