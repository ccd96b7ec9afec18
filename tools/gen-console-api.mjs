// The console's view of the gateway, from the OpenAPI document: what each operation takes and answers, as types, and the
// values that a field may have, as lists. Written to a file, because the console imports no other project.

/**
 * The parts of JSON Schema and OpenAPI that the gateway's document uses.
 * @typedef {{
 *   $ref?: string,
 *   const?: unknown,
 *   enum?: unknown[],
 *   anyOf?: Schema[],
 *   oneOf?: Schema[],
 *   type?: string | string[],
 *   items?: Schema,
 *   properties?: Record<string, Schema>,
 *   required?: string[],
 *   additionalProperties?: Schema | boolean,
 *   description?: string,
 * }} Schema
 * @typedef {{ properties: Record<string, Schema>, required: string[] }} Query
 * @typedef {Record<string, { schema?: Schema }>} Content
 * @typedef {{
 *   parameters?: { name: string, in: string, required?: boolean, description?: string, schema?: Schema }[],
 *   requestBody?: { content?: Content },
 *   responses: Record<string, { content?: Content }>,
 * }} OpenApiOperation
 * @typedef {{
 *   paths: Record<string, Record<string, OpenApiOperation>>,
 *   components?: { schemas?: Record<string, Schema> },
 * }} OpenApi
 * @typedef {{ name: string, query: Query, body: Schema | undefined, answer: Schema | undefined }} Operation
 */

const PREFIX = '/api/v1';

/** @param {string} name */
const keyOf = (name) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));
/** @param {string[]} types */
const unionOf = (types) => [...new Set(types)].join(' | ');
/** @param {Schema} schema */
const commentOf = ({ description }) => (description ? `/** ${description.replaceAll('*/', '')} */\n` : '');

/** @param {Record<string, Schema>} properties @param {string[]} required @returns {string} */
const fieldsOf = (properties, required) =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?';
      return `${commentOf(schema)}readonly ${keyOf(name)}${mark}: ${typeOf(schema)};`;
    })
    .join('\n');

/** @param {string} type */
const recordOf = (type) => `Readonly<Record<string, ${type}>>`;

/** @param {Schema} schema @returns {string} */
const objectType = ({ properties, required = [], additionalProperties }) => {
  if (!properties) return recordOf(typeOf(typeof additionalProperties === 'object' ? additionalProperties : {}));
  return Object.keys(properties).length === 0 ? recordOf('never') : `{\n${fieldsOf(properties, required)}\n}`;
};

/** The type of a JSON Schema, as far as schemas made by zod go. @param {Schema} schema @returns {string} */
export const typeOf = (schema) => {
  if (schema.$ref) return `Schemas[${JSON.stringify(schema.$ref.split('/').at(-1))}]`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => typeOf({ type })));
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return unionOf(forms.map(typeOf));
  if (schema.type === 'object') return objectType(schema);
  if (schema.type === 'array') return `readonly (${typeOf(schema.items ?? {})})[]`;
  if (schema.type === 'integer') return 'number';
  return schema.type ?? 'unknown';
};

/** @param {Content | undefined} content */
const jsonOf = (content) => content?.['application/json']?.schema;

/** @param {OpenApiOperation} operation @returns {Query} */
const queryOf = ({ parameters = [] }) => {
  const own = parameters.filter((parameter) => parameter.in === 'query');
  const properties = Object.fromEntries(
    own.map(({ name, description, schema }) => [name, { ...(description ? { description } : {}), ...schema }]),
  );
  const required = own.filter((parameter) => parameter.required).map(({ name }) => name);
  return { properties, required };
};

/** @param {OpenApiOperation} operation */
const answerOf = ({ responses }) => {
  const [, success] = Object.entries(responses).find(([status]) => /^2/.test(status)) ?? [];
  return jsonOf(success?.content);
};

/** @param {OpenApi} document @returns {Operation[]} */
const operationsOf = ({ paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const { properties, required } = queryOf(operation);
      return {
        name: `${method.toUpperCase()} ${path.slice(PREFIX.length)}`,
        query: { properties, required },
        body: jsonOf(operation.requestBody?.content),
        answer: answerOf(operation),
      };
    }),
  );

/** @param {Operation} operation */
const operationType = ({ name, query, body, answer }) => `${JSON.stringify(name)}: {
  readonly query: ${objectType(query)};
  readonly body: ${body ? typeOf(body) : 'never'};
  readonly answer: ${answer ? typeOf(answer) : 'null'};
};`;

/** Values of the fields that have a list of them, or take several out of one. @param {Operation} operation */
const choicesOf = ({ name, query, body }) => {
  const fields = Object.entries({ ...query.properties, ...body?.properties });
  const choices = fields.flatMap(([field, { enum: values, items }]) => {
    const listed = values ?? items?.enum;
    return listed ? [`${keyOf(field)}: ${JSON.stringify(listed)},`] : [];
  });
  return choices.length === 0 ? [] : [`${JSON.stringify(name)}: {\n${choices.join('\n')}\n},`];
};

/** @param {OpenApi} document @param {Record<string, Schema>} tools the answers of the tools that the console calls, by name */
export const consoleApi = (document, tools) => {
  const operations = operationsOf(document);
  const named = Object.entries({ ...document.components?.schemas });
  return `// Generated by tools/gen-docs.mjs from the OpenAPI document; do not edit.

export interface Schemas {\n${fieldsOf(Object.fromEntries(named), Object.keys(document.components?.schemas ?? {}))}\n}

export interface Operations {\n${operations.map(operationType).join('\n')}\n}

export interface ToolAnswers {\n${fieldsOf(tools, Object.keys(tools))}\n}

export const CHOICES = {\n${operations.flatMap(choicesOf).join('\n')}\n} as const;
`;
};
