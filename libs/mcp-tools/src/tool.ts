import { parseInput, type Scope, type Toolset, type Wire } from '@cairn/contracts';
import type { AppError, Clock } from '@cairn/kernel';
import { z } from 'zod';
import { renamed, type ArgumentAliases } from './argument-aliases.js';
import type { CairnPort } from './cairn.port.js';
import { coerced } from './coerced.js';
import type { FilePort } from './file.port.js';
import { TRAIL_FIELDS, trailerOf, type ToolHints, type Trace, type Trail } from './hint.js';
import { neutraliseAll } from './hygiene.js';
import { inOwnWords } from './own-words.js';
import type { MeshPort } from './mesh.port.js';
import type { PagePort } from './page.port.js';
import { jsonSchemaOf, withFailure, type JsonSchema } from './published-schema.js';
import { sampled, type Sampler } from './sampler.js';

export interface ToolContext {
  readonly cairn: CairnPort;
  readonly clock: Clock;
  readonly pages: PagePort;
  /** Texts at their sources; absent if nothing is fetched. */
  readonly mesh?: MeshPort | undefined;
  /** Set if the host lets agents attach files. */
  readonly files?: FilePort | undefined;
  /** The run of the calling agent, inside the host. */
  readonly run?: { readonly logCardId: string } | undefined;
  /** Rewords the hints, if the host has one. */
  readonly sampler?: Sampler | undefined;
  /** Texts of artifacts are compacted to this budget; without it they are returned whole. */
  readonly compaction?: { readonly maxTokens: number } | undefined;
}

/** The name of this type for hosts of the graph tools. */
export type CarabaseToolContext = ToolContext;

/** A resource that an answer links to; its text is read only on demand. */
export interface ResourceLink {
  readonly uri: string;
  readonly name: string;
  readonly mimeType?: string;
}

/** The same answer twice: for people and models as text, for programs as an object. */
export interface ToolAnswer<O> {
  readonly text: string;
  /**
   * A line of the tool above and below the text, such as `[trace: …]`. Never stored text, because it is not
   * neutralised.
   */
  readonly header?: string;
  readonly footer?: string;
  /** A second text: the ids that go with the first one, if a model needs them for its next call. */
  readonly references?: string;
  readonly links?: readonly ResourceLink[];
  readonly structured: O;
  /** Data that the hint of an empty answer needs and that the answer does not hold. */
  readonly trace?: Trace;
}

/** An answer in its final form: text stored by others is neutralised. */
export interface CleanAnswer extends Omit<ToolAnswer<Record<string, unknown>>, 'header' | 'footer' | 'trace'> {
  /** Whether any part of it differs from the stored text. */
  readonly sanitized: boolean;
  /** The last content block of an empty answer of a hinted tool. */
  readonly trailer?: string;
}

export interface ToolAnnotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint: boolean;
}

/** Where a tool can be called: over the network, or by an agent that runs inside the process. */
export const SURFACES = ['mcp', 'in-process'] as const;
export type Surface = (typeof SURFACES)[number];

interface ToolHead {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** When to use it rather than another tool, as the end of a sentence that begins with its name. */
  readonly when: string;
  readonly scope: Scope;
  readonly annotations: ToolAnnotations;
  /** The form of its failures: JSON-RPC error codes, as published for it, or a tool result marked `isError`. */
  readonly errors: 'jsonrpc' | 'tool';
  /** Its own cap per token, in addition to the token's cap. */
  readonly callsPerHour?: number;
  /** Further names that give the same answer and are not listed. */
  readonly aliases: readonly string[];
  /** On a surface that is not listed here, the tool is unknown. */
  readonly surfaces: readonly Surface[];
}

type Defaulted = 'errors' | 'aliases' | 'surfaces';

export interface ToolDefinition<I extends z.ZodType, O extends z.ZodType>
  extends Omit<ToolHead, Defaulted>, Partial<Pick<ToolHead, Defaulted>> {
  readonly input: I;
  readonly output: O;
  /** JSON Schema of further fields that a failure of this tool may carry. */
  readonly failure?: Readonly<Record<string, object>>;
  /** Maps a field of a command or query to the argument that supplied it, if the names differ. */
  readonly cameFrom?: Readonly<Record<string, string>>;
  /** Older names of arguments, accepted and not published. */
  readonly argumentAliases?: ArgumentAliases;
  /** What to try after an empty answer or a failure. */
  readonly hints?: ToolHints<z.output<I>, Wire<O>>;
  readonly handle: (args: z.output<I>, context: ToolContext) => Promise<ToolAnswer<Wire<O>>>;
}

/** A tool that can be called: schemas rendered once, arguments checked once, by `call`. */
export interface DefinedTool extends ToolHead {
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
  readonly output: z.ZodType;
  readonly isHinted: boolean;
  call(args: unknown, context: ToolContext): Promise<CleanAnswer>;
  /** The trail of a failed call, wherever it failed; undefined for a tool without hints. */
  trailOf(error: AppError, args: unknown, sampler?: Sampler): Promise<Trail | undefined>;
}

/** A tool as the registry holds it. */
export interface Tool extends DefinedTool {
  readonly toolset: Toolset;
}

const withTrailFields = (output: z.ZodType): z.ZodType =>
  output instanceof z.ZodObject ? output.extend({ ...TRAIL_FIELDS, ...output.shape }) : output;

const TRAIL_SCHEMA = jsonSchemaOf(z.object(TRAIL_FIELDS), 'output')['properties'] as Readonly<Record<string, unknown>>;

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const framed = ({ header, footer, text }: Pick<ToolAnswer<unknown>, 'header' | 'footer' | 'text'>): string =>
  [header, text, footer].filter((part) => part !== undefined && part !== '').join('\n');

const cleaned = ({ header, footer, trace: _, ...answer }: ToolAnswer<unknown>): CleanAnswer => {
  const { value, sanitized } = neutraliseAll(answer as ToolAnswer<Record<string, unknown>>);
  const text = framed({ text: value.text, ...(header && { header }), ...(footer && { footer }) });
  return { ...value, text, sanitized };
};

/** An empty answer with the hint after it. */
const trailed = (answer: CleanAnswer, trail: Trail): CleanAnswer => ({
  ...answer,
  structured: { ...answer.structured, hint: trail.hint, trace: trail.trace },
  trailer: trailerOf(trail),
});

export const defineTool = <I extends z.ZodType, O extends z.ZodType>(definition: ToolDefinition<I, O>): DefinedTool => {
  const { input, output: plain, failure, cameFrom = {}, argumentAliases, hints, handle, ...head } = definition;
  const output = hints ? withTrailFields(plain) : plain;
  const inputSchema = jsonSchemaOf(input, 'input');
  const words = { arguments: Object.keys(inputSchema['properties'] ?? {}), cameFrom };
  const meant = (args: unknown): unknown => {
    const given = coerced(inputSchema, args === undefined ? {} : args);
    return argumentAliases ? coerced(inputSchema, renamed(given, argumentAliases)) : given;
  };
  const asGiven = (args: unknown): Record<string, unknown> => {
    try {
      const given = meant(args);
      return isRecord(given) ? given : {};
    } catch {
      return isRecord(args) ? args : {};
    }
  };
  return {
    errors: 'tool',
    aliases: [],
    surfaces: SURFACES,
    ...head,
    inputSchema,
    outputSchema: withFailure(jsonSchemaOf(output, 'output'), { ...failure, ...(hints && TRAIL_SCHEMA) }),
    output,
    isHinted: hints !== undefined,
    call: async (given, context) => {
      const args = parseInput(input, meant(given));
      const answer = await handle(args, context).catch((thrown: unknown) => {
        throw inOwnWords(thrown, words);
      });
      const trail = hints?.empty({ args, structured: answer.structured, trace: answer.trace ?? {} });
      const clean = cleaned(answer);
      return trail ? trailed(clean, await sampled(trail, head.name, context.sampler)) : clean;
    },
    trailOf: async (error, args, sampler) =>
      hints && sampled(hints.error({ args: asGiven(args), error }), head.name, sampler),
  };
};
