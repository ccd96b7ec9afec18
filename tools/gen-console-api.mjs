// The console's view of the gateway, from the OpenAPI document: the input and the answer of each operation as types,
// and the allowed values of a field as lists. Written to a file, because the console imports no other project.

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
 * @typedef {{ at: string, properties: Record<string, Schema>, required: string[] }} KnownObject
 * @typedef {{ objects: KnownObject[], unions: Map<string, string> }} Known What was written before, and where.
 * @typedef {{ name: string, query: Query, body: Schema | undefined, answer: Schema | undefined }} Operation
 */

const PREFIX = '/api/v1';

/** @param {string} name */
const keyOf = (name) => (/^[a-z]\w*$/i.test(name) ? name : JSON.stringify(name));
/** @param {string[]} types */
const unionOf = (types) => [...new Set(types)].join(' | ');
/** @param {Schema} schema */
const commentOf = ({ description }) => (description ? `/** ${description.replaceAll('*/', '')} */\n` : '');

/** @param {Query} fields @param {string} at @param {Known} known @returns {string} */
const fieldsOf = ({ properties, required }, at, known) =>
  Object.entries(properties)
    .map(([name, schema]) => {
      const mark = required.includes(name) ? '' : '?';
      const type = typeOf(schema, `${at}[${JSON.stringify(name)}]`, known);
      return `${commentOf(schema)}readonly ${keyOf(name)}${mark}: ${type};`;
    })
    .join('\n');

/** @param {string} type */
const recordOf = (type) => `Readonly<Record<string, ${type}>>`;

/** Objects and lists with fewer entries are written out each time. */
const SHARED_MIN = 6;

/** @param {Query} fields @param {KnownObject} base */
const includes = ({ properties, required }, base) =>
  Object.entries(base.properties).every(
    ([name, schema]) =>
      JSON.stringify(properties[name]) === JSON.stringify(schema) &&
      required.includes(name) === base.required.includes(name),
  );

/** Refers to an object written before and adds the other fields. @param {Query} fields @param {KnownObject} base @param {string} at @param {Known} known */
const sharedType = ({ properties, required }, base, at, known) => {
  const own = Object.entries(properties).filter(([name]) => !(name in base.properties));
  if (own.length === 0) return base.at;
  return `${base.at} & {\n${fieldsOf({ properties: Object.fromEntries(own), required }, at, known)}\n}`;
};

/** @param {Schema} schema @param {string} at @param {Known} known @returns {string} */
const objectType = ({ properties, required = [], additionalProperties }, at, known) => {
  const values = typeof additionalProperties === 'object' ? additionalProperties : {};
  if (!properties) return recordOf(typeOf(values, at, known));
  const size = Object.keys(properties).length;
  if (size === 0) return recordOf('never');
  const fields = { properties, required };
  const base = known.objects.find((one) => includes(fields, one));
  if (base) return sharedType(fields, base, at, known);
  if (size >= SHARED_MIN) known.objects.push({ at, ...fields });
  return `{\n${fieldsOf(fields, at, known)}\n}`;
};

/** @param {unknown[]} values @param {string} at @param {Known} known */
const enumType = (values, at, known) => {
  const union = unionOf(values.map((value) => JSON.stringify(value)));
  const first = known.unions.get(union);
  if (first !== undefined) return `NonNullable<${first}>`;
  if (values.length >= SHARED_MIN) known.unions.set(union, at);
  return union;
};

/** @returns {Known} */
const nothingKnown = () => ({ objects: [], unions: new Map() });

/**
 * The type of a JSON Schema; covers the schemas that zod produces.
 * @param {Schema} schema @param {string} at @param {Known} known @returns {string}
 */
export const typeOf = (schema, at = '', known = nothingKnown()) => {
  if (schema.$ref) return `Schemas[${JSON.stringify(schema.$ref.split('/').at(-1))}]`;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return enumType(schema.enum, at, known);
  if (Array.isArray(schema.type)) return unionOf(schema.type.map((type) => typeOf({ type })));
  // The forms of a union have no path to refer to.
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return unionOf(forms.map((form) => typeOf(form)));
  if (schema.type === 'object') return objectType(schema, at, known);
  if (schema.type === 'array') return `readonly (${typeOf(schema.items ?? {}, `${at}[number]`, known)})[]`;
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

/**
 * Sorted, so the answer of a GET comes before the types that refer to it.
 * @param {OpenApi} document @returns {Operation[]}
 */
const operationsOf = ({ paths }) =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({
        name: `${method.toUpperCase()} ${path.slice(PREFIX.length)}`,
        query: queryOf(operation),
        body: jsonOf(operation.requestBody?.content),
        answer: answerOf(operation),
      })),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));

/** @param {Operation} operation @param {Known} known */
const operationType = ({ name, query, body, answer }, known) => {
  const at = `Operations[${JSON.stringify(name)}]`;
  return `${JSON.stringify(name)}: {
  readonly query: ${objectType(query, `${at}["query"]`, known)};
  readonly body: ${body ? typeOf(body, `${at}["body"]`, known) : 'never'};
  readonly answer: ${answer ? typeOf(answer, `${at}["answer"]`, known) : 'null'};
};`;
};

/** The values of fields with a closed list, or with a selection from one. @param {Operation} operation */
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
  const known = nothingKnown();
  /** @param {Record<string, Schema>} schemas */
  const members = (schemas) => fieldsOf({ properties: schemas, required: Object.keys(schemas) }, '', nothingKnown());
  return `// Generated by tools/gen-docs.mjs from the OpenAPI document; do not edit.

export interface Schemas {\n${members(document.components?.schemas ?? {})}\n}

export interface Operations {\n${operations.map((operation) => operationType(operation, known)).join('\n')}\n}

export interface ToolAnswers {\n${members(tools)}\n}

export const CHOICES = {\n${operations.flatMap(choicesOf).join('\n')}\n} as const;
`;
};
