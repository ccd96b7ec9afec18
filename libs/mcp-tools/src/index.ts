/**
 * The tool surface, defined once: names, descriptions, schemas, scopes, annotations and handlers of every MCP tool and
 * resource, against `CairnPort`. Uses no SDK, transport, database or Node built-in: any host can mount it.
 */
export { AgentRuntime, type AgentRuntimeOptions, type ListedTool } from './agent-runtime.js';
export type { FilePort, FileText, GivenFile } from './file.port.js';
export type { CairnPort } from './cairn.port.js';
export {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  RATE_LIMITED,
  rateLimitFailure,
  rpcFailure,
  toolFailure,
  type RpcFailure,
  type ToolFailure,
} from './failure.js';
export type { Hint, NextCall, Trace, Trail } from './hint.js';
export { fenced } from './fence.js';
export { neutralise, SANITIZED_META } from './hygiene.js';
export { instructionsFor } from './instructions.js';
export type { PagePort, WebPage } from './page.port.js';
export { EVERY_TOOL, findTool, TOOLS, toolsOn } from './registry.js';
export {
  knowledgeUri,
  RESOURCE_TEMPLATES,
  resourceNotFound,
  type ResourceTemplate,
  type ResourceText,
} from './resource.js';
export { failedResult, toolResult, type ContentBlock, type FailedCall, type ToolResult } from './result.js';
export type { JsonSchema } from './published-schema.js';
export type { Sampler } from './sampler.js';
export { snippet } from './snippet.js';
export {
  SURFACES,
  type CarabaseToolContext,
  type CleanAnswer,
  type ResourceLink,
  type Surface,
  type Tool,
  type ToolAnnotations,
  type ToolAnswer,
  type ToolContext,
} from './tool.js';
export type { MeshPort, ResolvedText } from './mesh.port.js';
