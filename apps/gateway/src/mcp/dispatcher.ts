import {
  asAppError,
  echoed,
  ERROR_TABLE,
  fail,
  hasScope,
  logLevelOf,
  type Principal,
  type Scope,
} from '@cairn/contracts';
import { systemClock, type AppError } from '@cairn/kernel';
import {
  failedResult,
  findTool,
  rateLimitFailure,
  RESOURCE_TEMPLATES,
  resourceNotFound,
  rpcFailure,
  toolResult,
  TOOLS,
  type ResourceTemplate,
  type Sampler,
  type Tool,
} from '@cairn/mcp-tools';
import type { Logger, Metrics } from '@cairn/observability';
import type { CairnClient, Caller } from '../cairn/cairn-client.js';
import { callCharges } from '../limits/charge.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { PageReader } from '../pages/page-reader.js';
import { isOffered, toolsOf } from './offered-tools.js';
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from './rpc-error.js';

export type Era = 'initialize' | 'stateless' | 'sse';

export interface McpCaller extends Caller {
  readonly era: Era;
  /** Whether its protocol revision knows links to resources in a tool result. */
  readonly takesLinks: boolean;
}

type Params = Readonly<Record<string, unknown>>;
type Result = Record<string, unknown>;
type Handler = (params: Params, caller: McpCaller) => Result | Promise<Result>;

/** Rendered once: a list is then a filter over ready-made objects. */
const LISTINGS = new Map(
  TOOLS.map((tool) => {
    const { name, title, description, inputSchema, outputSchema, annotations } = tool;
    return [tool, { name, title, description, inputSchema, outputSchema, annotations }];
  }),
);

const TEMPLATE_LISTINGS = new Map(
  RESOURCE_TEMPLATES.map((template) => {
    const { uriTemplate, name, title, description, mimeType } = template;
    return [template, { uriTemplate, name, title, description, mimeType }];
  }),
);

const opens = (template: ResourceTemplate, principal: Principal): boolean =>
  template.scopes.some((scope) => hasScope(principal, scope));

const isReadable = (template: ResourceTemplate, principal: Principal): boolean =>
  opens(template, principal) && template.toolsets.some((toolset) => principal.toolsets.includes(toolset));

const scopeMissing = (tool: Tool): AppError =>
  fail('scope.missing', `${tool.name} needs a token with the scope ${tool.scope}`, { scope: tool.scope });

const stringParam = (params: Params, field: string): string => {
  const value = params[field];
  if (typeof value === 'string') return value;
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${field} must be a string`, { field });
};

/** Lists are short and come whole, so no cursor of ours exists. */
const refuseCursor = (params: Params): void => {
  if (params['cursor'] !== undefined) {
    throw new RpcError(INVALID_PARAMS, 'Invalid params: cursor is not one of ours', { field: 'cursor' });
  }
};

/** What both SDKs are mounted on: one message in, one result or `RpcError` out. Nothing else reaches the wire. */
export class Dispatcher {
  private readonly handlers: ReadonlyMap<string, Handler> = new Map<string, Handler>([
    ['tools/list', (params, caller) => this.listTools(params, caller)],
    ['tools/call', (params, caller) => this.callTool(params, caller)],
    ['resources/list', (params) => this.listNothing(params, 'resources')],
    ['resources/templates/list', (params, caller) => this.listTemplates(params, caller)],
    ['resources/read', (params, caller) => this.readResource(params, caller)],
    ['prompts/list', (params) => this.listNothing(params, 'prompts')],
    ['prompts/get', () => this.refusePrompt()],
  ]);

  constructor(
    private readonly cairn: CairnClient,
    private readonly pages: PageReader,
    private readonly limits: RateLimiter,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly sampler?: Sampler,
  ) {}

  knows(method: string): boolean {
    return this.handlers.has(method);
  }

  async handle(method: string, params: Params | undefined, caller: McpCaller): Promise<Result> {
    const startedAt = performance.now();
    let outcome = 'error';
    try {
      const handler = this.handlers.get(method);
      if (!handler) throw new RpcError(METHOD_NOT_FOUND, 'Method not found');
      const result = await handler(params ?? {}, caller);
      outcome = result['isError'] === true ? 'tool_error' : 'ok';
      return result;
    } catch (thrown) {
      throw thrown instanceof RpcError ? thrown : this.scrub(asAppError(thrown), caller);
    } finally {
      this.observe({ method, params, caller, outcome, seconds: (performance.now() - startedAt) / 1000 });
    }
  }

  /** The scope that a message needs and its sender does not have, if an HTTP status can still say so. */
  missingScope(method: string, params: Params | undefined, principal: Principal): Scope | undefined {
    if (method === 'tools/call') {
      const tool = findTool(String(params?.['name']));
      return tool && isOffered(tool, principal) && !hasScope(principal, tool.scope) ? tool.scope : undefined;
    }
    if (method !== 'resources/read') return undefined;
    const template = RESOURCE_TEMPLATES.find((candidate) => candidate.matches(String(params?.['uri'])));
    return template && !opens(template, principal) ? template.scopes[0] : undefined;
  }

  private listTools(params: Params, { principal }: McpCaller): Result {
    refuseCursor(params);
    return { tools: toolsOf(principal).map((tool) => LISTINGS.get(tool)) };
  }

  private async callTool(params: Params, caller: McpCaller): Promise<Result> {
    const named = findTool(String(params['name']));
    const tool = named && isOffered(named, caller.principal) ? named : undefined;
    const order = tool?.annotations.readOnlyHint === false ? 'before' : 'beside';
    try {
      return await this.limits.guard(callCharges(caller, tool), order, () => this.runTool(tool, params, caller));
    } catch (thrown) {
      if (!tool || thrown instanceof RpcError) throw thrown;
      return await this.failed(tool, asAppError(thrown), params['arguments'], caller);
    }
  }

  private async runTool(tool: Tool | undefined, params: Params, caller: McpCaller): Promise<Result> {
    if (!tool) {
      const name = stringParam(params, 'name');
      throw new RpcError(INVALID_PARAMS, `Unknown tool: ${echoed(name)}`, { field: 'name' });
    }
    if (!hasScope(caller.principal, tool.scope)) throw scopeMissing(tool);
    const { sampler } = this;
    const context = { cairn: this.cairn.as(caller), clock: systemClock, pages: this.pages.as(caller), sampler };
    const answer = await tool.call(params['arguments'], context);
    return { ...toolResult(answer, { hasLinks: caller.takesLinks }) };
  }

  private async failed(tool: Tool, error: AppError, args: unknown, caller: McpCaller): Promise<Result> {
    this.log(error, caller, tool.name);
    const failure = tool.errors === 'jsonrpc' ? rpcFailure(error, caller.correlationId) : undefined;
    if (failure) throw new RpcError(failure.code, failure.message, failure.data);
    const { correlationId } = caller;
    return { ...(await failedResult(tool, error, { args, correlationId, sampler: this.sampler })) };
  }

  private listNothing(params: Params, field: string): Result {
    refuseCursor(params);
    return { [field]: [] };
  }

  private listTemplates(params: Params, { principal }: McpCaller): Result {
    refuseCursor(params);
    const templates = RESOURCE_TEMPLATES.filter((template) => isReadable(template, principal));
    return { resourceTemplates: templates.map((template) => TEMPLATE_LISTINGS.get(template)) };
  }

  private readResource(params: Params, caller: McpCaller): Promise<Result> {
    return this.limits.guard(callCharges(caller), 'beside', () => this.resourceOf(params, caller));
  }

  private async resourceOf(params: Params, caller: McpCaller): Promise<Result> {
    const uri = stringParam(params, 'uri');
    const template = RESOURCE_TEMPLATES.find((candidate) => candidate.matches(uri));
    if (!template || !isReadable(template, caller.principal)) throw resourceNotFound(uri);
    return { contents: [await template.read(uri, this.cairn.as(caller))] };
  }

  private refusePrompt(): Result {
    throw new RpcError(INVALID_PARAMS, 'Invalid params: there is no such prompt', { field: 'name' });
  }

  /** The one catch-all: the text of an unexpected error stays in the log, the caller gets the id to find it there. */
  private scrub(error: AppError, caller: McpCaller): RpcError {
    this.log(error, caller);
    const { correlationId } = caller;
    if (error.code === 'resource.not_found') {
      return new RpcError(INVALID_PARAMS, 'Resource not found', { uri: error.details['uri'], correlationId });
    }
    if (error.code === 'rate_limited') {
      const { code, message, data } = rateLimitFailure(error, correlationId);
      return new RpcError(code, message, data);
    }
    const { retry } = ERROR_TABLE[error.kind];
    const message = retry ? 'Internal error: not available at the moment, try again' : 'Internal error';
    return new RpcError(INTERNAL_ERROR, message, { ...(retry ? { code: error.code, retry } : {}), correlationId });
  }

  private log(error: AppError, { correlationId, principal }: McpCaller, tool?: string): void {
    const context = { correlationId, workspace: principal.workspaceId, code: error.code, tool };
    const logLevel = logLevelOf(error);
    if (logLevel === 'error') this.logger.error({ ...context, err: error.cause ?? error }, 'a message failed');
    else this.logger[logLevel](context, 'a message was refused');
  }

  private observe(seen: {
    readonly method: string;
    readonly params: Params | undefined;
    readonly caller: McpCaller;
    readonly outcome: string;
    readonly seconds: number;
  }): void {
    const { caller, outcome, seconds } = seen;
    const method = this.knows(seen.method) ? seen.method : 'other';
    const tool = method === 'tools/call' ? (findTool(String(seen.params?.['name']))?.name ?? '') : '';
    this.metrics.mcpOperationSeconds.observe({ method, tool, era: caller.era, outcome }, seconds);
    if (!this.logger.isLevelEnabled('debug')) return;
    this.logger.debug({ correlationId: caller.correlationId, method, tool, outcome, seconds }, 'mcp message');
  }
}
