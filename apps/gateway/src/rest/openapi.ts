import { BODY_BYTES_MAX } from '@cairn/contracts';
import { createDocument, type ZodOpenApiOperationObject } from 'zod-openapi';
import { z } from 'zod';
import { SERVER_INFO } from '../server-info.js';
import { ErrorAnswer } from './answer.schema.js';
import type { RouteAccess } from './operation.decorator.js';
import { REST_CONTROLLERS } from './rest-controllers.js';
import { operationsOf, type RestOperation } from './rest-operations.js';

export type OpenApiDocument = ReturnType<typeof createDocument>;

const needOf = (access: RouteAccess): string => {
  if (access === 'anyone') return 'no token';
  return access === 'instance admin' ? 'the first admin token' : `scope ${access}`;
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header' as const,
  required: false,
  description: 'A UUID. The same request with the same key and the same token takes effect once.',
  schema: { type: 'string' as const, format: 'uuid' },
};

const file = z.string().meta({ override: { type: 'string', format: 'binary' } });

/** For fields that are not plain text. */
const ENCODING = { tags: { explode: true }, source: { contentType: 'application/json' } };

const formContent = (fields: z.ZodObject) => ({
  'multipart/form-data': {
    schema: fields.extend({ file }),
    encoding: Object.fromEntries(Object.entries(ENCODING).filter(([name]) => name in fields.shape)),
  },
});

const answerContent = ({ isStream, answer }: RestOperation) => {
  if (isStream) return { content: { 'text/event-stream': { schema: { type: 'string' as const } } } };
  return answer ? { content: { 'application/json': { schema: answer } } } : {};
};

const describe = (operation: RestOperation): ZodOpenApiOperationObject => {
  const { access, summary, note, status = 200, params, query, body, form, takesKey } = operation;
  return {
    summary,
    description: `Needs: ${needOf(access)}.${note ? ` ${note}` : ''}`,
    requestParams: { ...(params && { path: params }), ...(query && { query }) },
    parameters: takesKey ? [IDEMPOTENCY_KEY] : [],
    ...((body ?? form) && {
      requestBody: {
        required: true,
        content: { ...(body && { 'application/json': { schema: body } }), ...(form && formContent(form)) },
      },
    }),
    responses: {
      [status]: { description: status === 204 ? 'Done' : 'The answer', ...answerContent(operation) },
      default: {
        description: 'An error; what is out of scope is 404',
        content: { 'application/json': { schema: ErrorAnswer } },
      },
    },
    security: access === 'anyone' ? [] : [{ token: [] }],
  };
};

/** Builds the OpenAPI 3.1 document from the decorators of the handlers and the schemas that validate the requests. */
export const openApiDocument = (): OpenApiDocument => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operationsOf(REST_CONTROLLERS)) {
    (paths[operation.path] ??= {})[operation.method.toLowerCase()] = describe(operation);
  }
  return createDocument({
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
      schemas: { Error: ErrorAnswer },
    },
  });
};
