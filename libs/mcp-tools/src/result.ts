import type { AppError } from '@cairn/kernel';
import { toolFailure, type ToolFailure } from './failure.js';
import { SANITIZED_META } from './hygiene.js';
import type { Sampler } from './sampler.js';
import type { CleanAnswer, DefinedTool } from './tool.js';

/** A block of a tool result's content. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'resource_link'; readonly uri: string; readonly name: string; readonly mimeType?: string };

export interface ToolResult {
  readonly content: readonly ContentBlock[];
  readonly structuredContent: Readonly<Record<string, unknown>>;
  readonly _meta?: Readonly<Record<string, unknown>>;
}

const textBlock = (text: string | undefined): readonly ContentBlock[] =>
  text === undefined ? [] : [{ type: 'text', text }];

/**
 * An answer in the form of MCP. Clients of early protocol revisions refuse a result with links; the ids are in its
 * texts too.
 */
export const toolResult = (answer: CleanAnswer, { hasLinks = true } = {}): ToolResult => {
  const { text, references, links = [], structured, sanitized, trailer } = answer;
  const shown = hasLinks ? links : [];
  const content = [
    ...textBlock(text),
    ...textBlock(references),
    ...shown.map((link) => ({ type: 'resource_link' as const, ...link })),
    ...textBlock(trailer),
  ];
  const result = { content, structuredContent: structured };
  return sanitized ? { ...result, _meta: { [SANITIZED_META]: true } } : result;
};

export interface FailedCall {
  readonly args: unknown;
  readonly correlationId: string;
  readonly sampler?: Sampler | undefined;
}

/** A failure as a tool result, with the tool's hint, wherever it occurred: before, in or after the handler. */
export const failedResult = async (tool: DefinedTool, error: AppError, call: FailedCall): Promise<ToolFailure> =>
  toolFailure(error, call.correlationId, await tool.trailOf(error, call.args, call.sampler));
