import { hasScope, type Principal } from '@cairn/contracts';
import { instructionsFor, TOOLS, type Tool } from '@cairn/mcp-tools';

/** Whether a tool exists for this principal at all; calling it may need a scope that the token does not have. */
export const isOffered = (tool: Tool, principal: Principal): boolean => principal.toolsets.includes(tool.toolset);

export const toolsOf = (principal: Principal): readonly Tool[] =>
  TOOLS.filter((tool) => isOffered(tool, principal) && hasScope(principal, tool.scope));

/** By the tools that the token may call: a model is not sent to one that it would be refused. */
export const instructionsOf = (principal: Principal): string => instructionsFor(toolsOf(principal));
