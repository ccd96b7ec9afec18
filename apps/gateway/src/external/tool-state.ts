import type { OpenedServer, ToolPin } from '@cairn/contracts';
import type { ExternalTool } from '@cairn/external-mcp';

/**
 * listed: as approved. withheld: changed or new since the approval. waiting: nothing has been approved yet; a person
 * has to.
 */
export const TOOL_STATES = ['listed', 'withheld', 'waiting'] as const;
export type ToolState = (typeof TOOL_STATES)[number];

export const toolStateOf = (
  { approval, pins }: Pick<OpenedServer, 'approval' | 'pins'>,
  tool: ExternalTool,
): ToolState => {
  const pin = pins.find(({ name }) => name === tool.name);
  if (pin) return pin.hash === tool.hash ? 'listed' : 'withheld';
  return approval === 'manual' || pins.length === 0 ? 'waiting' : 'withheld';
};

export const pinsOf = (tools: readonly ExternalTool[]): ToolPin[] => tools.map(({ name, hash }) => ({ name, hash }));
