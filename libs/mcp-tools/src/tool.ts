import { parseInput, type Scope, type Toolset, type Wire } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import { z } from 'zod';
import type { CairnPort } from './cairn.port.js';
import { coerced } from './coerced.js';
import { neutraliseAll } from './hygiene.js';
import { inOwnWords } from './own-words.js';
import type { PagePort } from './page.port.js';

export interface ToolContext {
  readonly cairn: CairnPort;
  readonly clock: Clock;
  readonly pages: PagePort;
}

/** The same answer twice: for people and models as text, for programs as an object. */
export interface ToolAnswer<O> {
  readonly text: string;
  /** A second text: the ids that go with the first one, where a model needs them for its next call. */
  readonly references?: string;
  readonly structured: O;
}

/** As it may leave: whatever was stored by others is neutralised in it. */
export interface CleanAnswer extends ToolAnswer<Record<string, unknown>> {
  /** Whether something in it is not as it was stored. */
  readonly sanitized: boolean;
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

export type JsonSchema = Readonly<Record<string, unknown>> & { readonly type: 'object' };

interface ToolHead {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** When to use it rather than another tool, as the end of a sentence that begins with its name. */
  readonly when: string;
  readonly scope: Scope;
  readonly annotations: ToolAnnotations;
  /** How it fails: with JSON-RPC error codes, as its spec says, or with a tool result marked `isError`. */
  readonly errors: 'jsonrpc' | 'tool';
  /** A cap of its own per token, in addition to the token's cap. */
  readonly callsPerHour?: number;
}

export interface ToolDefinition<I extends z.ZodType, O extends z.ZodType> extends Omit<ToolHead, 'errors'> {
  readonly errors?: ToolHead['errors'];
  readonly input: I;
  readonly output: O;
  /** JSON Schema of further fields that a failure of this tool may carry. */
  readonly failure?: Readonly<Record<string, object>>;
  /** Which argument a field of a command or query came from, where the two have different names. */
  readonly cameFrom?: Readonly<Record<string, string>>;
  readonly handle: (args: z.output<I>, context: ToolContext) => Promise<ToolAnswer<Wire<O>>>;
}

/** A tool that can be called: schemas rendered once, arguments checked once, by `call`. */
export interface DefinedTool extends ToolHead {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly output: z.ZodType;
  call(args: unknown, context: ToolContext): Promise<CleanAnswer>;
}

/** A tool as the registry holds it. */
export interface Tool extends DefinedTool {
  readonly toolset: Toolset;
}

/** A list of types is legal and not understood by every client: a nullable value is written as two forms instead. */
const splitTypes = (node: unknown): unknown => {
  if (Array.isArray(node)) return node.map(splitTypes);
  if (typeof node !== 'object' || node === null) return node;
  const copy = Object.fromEntries(Object.entries(node).map(([key, value]) => [key, splitTypes(value)]));
  const { type, ...rest } = copy;
  return Array.isArray(type) ? { ...rest, anyOf: type.map((one: unknown) => ({ type: one })) } : copy;
};

const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
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
const withFailure = ({ required, properties, ...rest }: JsonSchema, more: object = {}): JsonSchema => ({
  ...rest,
  type: 'object',
  properties: { ...FAILURE_PROPERTIES, ...more, ...(properties as object) },
  anyOf: [{ required }, { required: ['code', 'message', 'retry', 'correlationId'] }],
});

export const defineTool = <I extends z.ZodType, O extends z.ZodType>(definition: ToolDefinition<I, O>): DefinedTool => {
  const { input, output, failure, cameFrom = {}, errors = 'tool', handle, ...head } = definition;
  const inputSchema = jsonSchemaOf(input, 'input');
  const words = { arguments: Object.keys(inputSchema['properties'] ?? {}), cameFrom };
  return {
    ...head,
    errors,
    inputSchema,
    outputSchema: withFailure(jsonSchemaOf(output, 'output'), failure),
    output,
    call: async (args, context) => {
      const parsed = parseInput(input, coerced(inputSchema, args === undefined ? {} : args));
      const answer = await handle(parsed, context).catch((thrown: unknown) => {
        throw inOwnWords(thrown, words);
      });
      const { value, sanitized } = neutraliseAll(answer as ToolAnswer<Record<string, unknown>>);
      return { ...value, sanitized };
    },
  };
};
