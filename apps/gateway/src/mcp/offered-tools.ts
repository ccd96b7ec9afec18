import { hasScope, type Principal } from '@cairn/contracts';
import { instructionsFor, TOOLS, type Tool } from '@cairn/mcp-tools';

/** Whether a tool exists for this principal at all; calling it may need a scope that the token lacks. */
export const isOffered = (tool: Tool, principal: Principal): boolean => principal.toolsets.includes(tool.toolset);

export const toolsOf = (principal: Principal): readonly Tool[] =>
  TOOLS.filter((tool) => isOffered(tool, principal) && hasScope(principal, tool.scope));

/** Mentions only the tools that the token may call, so no model is sent to a tool that rejects it. */
export const instructionsOf = (principal: Principal): string => instructionsFor(toolsOf(principal));
