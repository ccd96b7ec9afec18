import { parseInput, type Scope, type Toolset } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import { z } from 'zod';
import type { CairnPort } from './cairn.port.js';

export interface ToolContext {
  readonly cairn: CairnPort;
  readonly clock: Clock;
}

/** The same answer twice: for people and models as text, for programs as an object. */
export interface ToolAnswer<O> {
  readonly text: string;
  readonly structured: O;
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
  readonly scope: Scope;
  readonly toolset: Toolset;
  readonly annotations: ToolAnnotations;
  /** How it fails: with JSON-RPC error codes, as its spec says, or with a tool result marked `isError`. */
  readonly errors: 'jsonrpc' | 'tool';
}

export interface ToolDefinition<I extends z.ZodType, O extends z.ZodType> extends ToolHead {
  readonly input: I;
  readonly output: O;
  readonly handle: (args: z.output<I>, context: ToolContext) => Promise<ToolAnswer<z.input<O>>>;
}

/** A tool as the registry holds it: schemas rendered once, arguments checked once, by `call`. */
export interface Tool extends ToolHead {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly output: z.ZodType;
  call(args: unknown, context: ToolContext): Promise<ToolAnswer<Record<string, unknown>>>;
}

const jsonSchemaOf = (schema: z.ZodType, io: 'input' | 'output'): JsonSchema => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { target: 'draft-2020-12', io });
  return { ...rest, type: 'object' };
};

const FAILURE_PROPERTIES = {
  code: { type: 'string', description: 'Only of a failure: a dotted code that does not change.' },
  message: { type: 'string', description: 'Only of a failure: what is wrong and what to do.' },
  retry: { type: 'boolean', description: 'Only of a failure: whether the same call may work later.' },
  field: { type: 'string', description: 'Only of a failure: the argument that is wrong.' },
  limit: { description: 'Only of a failure: the bound that was passed.' },
  correlationId: { type: 'string', description: 'Only of a failure: the id to find it in the logs by.' },
};

/**
 * A failed call carries its own object, and clients in use check that against the published schema too. So the schema
 * names both forms: the fields of either, and which of them come together.
 */
const withFailure = ({ required, properties, ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  type: 'object',
  properties: { ...FAILURE_PROPERTIES, ...(properties as object) },
  anyOf: [{ required }, { required: ['code', 'message', 'retry', 'correlationId'] }],
});

export const defineTool = <I extends z.ZodType, O extends z.ZodType>(definition: ToolDefinition<I, O>): Tool => {
  const { input, output, handle, ...head } = definition;
  return {
    ...head,
    inputSchema: jsonSchemaOf(input, 'input'),
    outputSchema: withFailure(jsonSchemaOf(output, 'output')),
    output,
    call: async (args, context) => {
      const answer = await handle(parseInput(input, args ?? {}), context);
      return answer as ToolAnswer<Record<string, unknown>>;
    },
  };
};
