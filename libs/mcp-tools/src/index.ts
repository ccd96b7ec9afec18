/**
 * The tool surface, defined once: names, descriptions, schemas, scopes, annotations and handlers of every MCP tool and
 * resource, against `CairnPort`. Refuses SDKs, transports, databases and Node built-ins: any host can mount it.
 */
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
export { SANITIZED_META } from './hygiene.js';
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
