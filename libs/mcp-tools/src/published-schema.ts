import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

/** A list of types is legal, but not every client understands it: a nullable value is written as two forms instead. */
const splitTypes = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(splitTypes);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, splitTypes(value)]));
  const { type, ...rest } = copy;
  return Array.isArray(type) ? { ...rest, anyOf: type.map((one: unknown) => ({ type: one })) } : copy;
};

export const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...whole } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  const rest = splitTypes(whole) as Record<string, unknown>;
  return { ...rest, type: 'object' };
};

const SCALAR = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }];

const LIMIT = {
  description: 'Only of a failure: the bound that was passed, or the values that are allowed.',
  anyOf: [...SCALAR, { type: 'array', items: { anyOf: SCALAR } }],
};

const FAULT = {
  type: 'object',
  properties: {
    field: { type: 'string' },
    message: { type: 'string' },
    limit: LIMIT,
    didYouMean: { type: 'string' },
  },
  required: ['field', 'message'],
};

const FAILURE_PROPERTIES = {
  code: { type: 'string', description: 'Only of a failure: a dotted code that does not change.' },
  message: { type: 'string', description: 'Only of a failure: what is wrong and what to do.' },
  retry: { type: 'boolean', description: 'Only of a failure: whether the same call may work later.' },
  field: { type: 'string', description: 'Only of a failure: the argument that is wrong.' },
  limit: LIMIT,
  didYouMean: { type: 'string', description: 'Only of a failure: the known argument most similar to an unknown one.' },
  knownFields: {
    type: 'array',
    items: { type: 'string' },
    description: 'Only of a failure: the known arguments, where field is an unknown one.',
  },
  faults: {
    type: 'array',
    items: FAULT,
    description: 'Only of a failure: all wrong arguments, where there are several.',
  },
  retry_after_sec: { type: 'integer', description: 'Only of a failure: after how many seconds the call can work.' },
  correlationId: { type: 'string', description: 'Only of a failure: the id to find it in the logs by.' },
};

type Properties = Readonly<Record<string, unknown>>;

/** A field that a failure fills differently from an answer may have either form. */
const inEitherForm = (own: Properties, failure: Properties): Properties =>
  Object.fromEntries(
    Object.entries(own).map(([name, form]) => {
      const other = failure[name];
      const isOther = other !== undefined && JSON.stringify(other) !== JSON.stringify(form);
      return [name, isOther ? { anyOf: [form, other] } : form];
    }),
  );

/**
 * A failed call has its own object, and clients in use check that against the published schema too. So the schema
 * covers both forms: the fields of either, and which of them occur together.
 */
export const withFailure = ({ required, properties, ...rest }: JsonSchema, more: Properties = {}): JsonSchema => ({
  ...rest,
  type: 'object',
  properties: { ...FAILURE_PROPERTIES, ...more, ...inEitherForm(properties as Properties, more) },
  anyOf: [{ required }, { required: ['code', 'message', 'retry', 'correlationId'] }],
});
