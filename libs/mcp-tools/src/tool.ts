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
  handle(args: z.output<I>, context: ToolContext): Promise<ToolAnswer<z.input<O>>>;
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

export const defineTool = <I extends z.ZodType, O extends z.ZodType>(definition: ToolDefinition<I, O>): Tool => {
  const { input, output, handle, ...head } = definition;
  return {
    ...head,
    inputSchema: jsonSchemaOf(input, 'input'),
    outputSchema: jsonSchemaOf(output, 'output'),
    output,
    call: async (args, context) => {
      const answer = await handle(parseInput(input, args ?? {}), context);
      return answer as ToolAnswer<Record<string, unknown>>;
    },
  };
};
