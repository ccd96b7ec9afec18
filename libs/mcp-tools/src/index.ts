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
export { SANITIZED_META } from './hygiene.js';
export { instructionsFor } from './instructions.js';
export type { PagePort, WebPage } from './page.port.js';
export { findTool, TOOLS } from './registry.js';
export {
  knowledgeUri,
  RESOURCE_TEMPLATES,
  resourceNotFound,
  type ResourceTemplate,
  type ResourceText,
} from './resource.js';
export { snippet } from './snippet.js';
export {
  type CleanAnswer,
  type JsonSchema,
  type Tool,
  type ToolAnnotations,
  type ToolAnswer,
  type ToolContext,
} from './tool.js';
