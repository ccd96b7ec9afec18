import type { Wire } from '@cairn/contracts';
import type { z } from 'zod';
import type { ToolHints } from '../hint.js';
import { defineTool, type DefinedTool, type ToolDefinition } from '../tool.js';

/** A tool that suggests what to try if it found nothing or failed. The toolset `graph` accepts no other tool. */
export interface HintedTool extends DefinedTool {
  readonly isHinted: true;
}

export interface GraphToolDefinition<I extends z.ZodType, O extends z.ZodObject> extends Omit<
  ToolDefinition<I, O>,
  'errors'
> {
  readonly hints: ToolHints<z.output<I>, Wire<O>>;
}

/** A tool that only reads what is stored here. */
export const READS_GRAPH = {
  scope: 'graph:read',
  annotations: { readOnlyHint: true, openWorldHint: false },
} as const;

const PREFIX = 'carabase_';

/** Older clients call the tools that read by their names without the prefix. */
const olderNames = ({ name, annotations }: Pick<DefinedTool, 'name' | 'annotations'>): readonly string[] =>
  annotations.readOnlyHint && name.startsWith(PREFIX) ? [name.slice(PREFIX.length)] : [];

/** Like `defineTool`; the hints are mandatory, and failures are tool results that carry them. */
export const defineGraphTool = <I extends z.ZodType, O extends z.ZodObject>(
  definition: GraphToolDefinition<I, O>,
): HintedTool => {
  const aliases = [...olderNames(definition), ...(definition.aliases ?? [])];
  return { ...defineTool({ ...definition, aliases }), isHinted: true };
};
