import { z } from 'zod';

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

/** A list of types is legal and not understood by every client: a nullable value is written as two forms instead. */
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

/**
 * A failed call carries its own object, and clients in use check that against the published schema too. So the schema
 * names both forms: the fields of either, and which of them come together.
 */
export const withFailure = ({ required, properties, ...rest }: JsonSchema, more: object = {}): JsonSchema => ({
  ...rest,
  type: 'object',
  properties: { ...FAILURE_PROPERTIES, ...more, ...(properties as object) },
  anyOf: [{ required }, { required: ['code', 'message', 'retry', 'correlationId'] }],
});
