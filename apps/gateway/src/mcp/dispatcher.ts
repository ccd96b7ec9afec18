import { setImmediate as nextTurn } from 'node:timers/promises';
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
import { InFlight, systemClock, type AppError } from '@cairn/kernel';
import {
  failedResult,
  findTool,
  rateLimitFailure,
  RESOURCE_TEMPLATES,
  resourceNotFound,
  rpcFailure,
  toolFailure,
  toolResult,
  TOOLS,
  type ResourceTemplate,
  type Tool,
  type ToolContext,
} from '@cairn/mcp-tools';
import type { Logger, Metrics } from '@cairn/observability';
import type { CairnClient, Caller } from '../cairn/cairn-client.js';
import { callCharges } from '../limits/charge.js';
import { isExternalName, type ExternalTools } from '../external/external-tools.js';
import type { RateLimiter } from '../limits/rate-limiter.js';
import type { MeshResolver } from '../mesh/mesh-resolver.js';
import type { PageReader } from '../pages/page-reader.js';
import { isOffered, toolsOf } from './offered-tools.js';
import { INTERNAL_ERROR, INVALID_PARAMS, METHOD_NOT_FOUND, RpcError } from './rpc-error.js';

export type Era = 'initialize' | 'stateless' | 'sse';

export interface McpCaller extends Caller {
  readonly era: Era;
  /** Whether the client's protocol revision supports resource links in a tool result. */
  readonly takesLinks: boolean;
}

type Params = Readonly<Record<string, unknown>>;
type Result = Record<string, unknown>;
type Handler = (params: Params, caller: McpCaller) => Result | Promise<Result>;

/** Built once, so listing only filters ready-made objects. */
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

/** Metrics and logs name no external tool, because the number of foreign names is unbounded. */
const EXTERNAL_LABEL = 'external';

const labelOf = (name: string): string => findTool(name)?.name ?? (isExternalName(name) ? EXTERNAL_LABEL : '');

const scopeMissing = (tool: Tool): AppError =>
  fail('scope.missing', `${tool.name} needs a token with the scope ${tool.scope}`, { scope: tool.scope });

const stringParam = (params: Params, field: string): string => {
  const value = params[field];
  if (typeof value === 'string') return value;
  throw new RpcError(INVALID_PARAMS, `Invalid params: ${field} must be a string`, { field });
};

/** Lists are short and returned whole, so Cairn issues no cursors. */
const refuseCursor = (params: Params): void => {
  if (params['cursor'] !== undefined) {
    throw new RpcError(INVALID_PARAMS, 'Invalid params: cursor is not one of ours', { field: 'cursor' });
  }
};

/** The core behind both SDKs: one message in, one result or `RpcError` out. Nothing else reaches the wire. */
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
  private readonly calls = new InFlight();

  constructor(
    private readonly cairn: CairnClient,
    private readonly pages: PageReader,
    private readonly mesh: MeshResolver,
    private readonly limits: RateLimiter,
    private readonly external: ExternalTools,
    private readonly logger: Logger,
    private readonly metrics: Metrics,
    private readonly extras: Pick<ToolContext, 'sampler' | 'compaction'> = {},
  ) {}

  knows(method: string): boolean {
    return this.handlers.has(method);
  }

  handle(method: string, params: Params | undefined, caller: McpCaller): Promise<Result> {
    return this.calls.run(() => this.answer(method, params, caller));
  }

  /** Resolves when every accepted message has its result; the SDK that carries it sends it in the same turn. */
  async answered(): Promise<void> {
    await this.calls.empty();
    await nextTurn();
  }

  private async answer(method: string, params: Params | undefined, caller: McpCaller): Promise<Result> {
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

  /** The scope that a message needs and its sender lacks, while an HTTP status can still report it. */
  missingScope(method: string, params: Params | undefined, principal: Principal): Scope | undefined {
    if (method === 'tools/call') {
      const name = String(params?.['name']);
      const tool = findTool(name);
      if (!tool) return this.external.missingScope(name, principal);
      return isOffered(tool, principal) && !hasScope(principal, tool.scope) ? tool.scope : undefined;
    }
    if (method !== 'resources/read') return undefined;
    const template = RESOURCE_TEMPLATES.find((candidate) => candidate.matches(String(params?.['uri'])));
    return template && !opens(template, principal) ? template.scopes[0] : undefined;
  }

  private async listTools(params: Params, { principal }: McpCaller): Promise<Result> {
    refuseCursor(params);
    const external = await this.external.list(principal);
    return { tools: [...toolsOf(principal).map((tool) => LISTINGS.get(tool)), ...external] };
  }

  private async callTool(params: Params, caller: McpCaller): Promise<Result> {
    const name = String(params['name']);
    const named = findTool(name);
    if (!named && this.external.offers(name, caller.principal)) return this.callExternal(name, params, caller);
    const tool = named && isOffered(named, caller.principal) ? named : undefined;
    const order = tool?.annotations.readOnlyHint === false ? 'before' : 'beside';
    try {
      return await this.limits.guard(callCharges(caller, tool), order, () => this.runTool(tool, params, caller));
    } catch (thrown) {
      if (!tool || thrown instanceof RpcError) throw thrown;
      return await this.failed(tool, asAppError(thrown), params['arguments'], caller);
    }
  }

  /** Sent once, and counted before it is sent, because its effects are unknown. */
  private async callExternal(name: string, params: Params, caller: McpCaller): Promise<Result> {
    try {
      const call = () => this.external.call(name, params['arguments'], caller.principal);
      const result = await this.limits.guard(callCharges(caller), 'before', call);
      return result ?? (await this.runTool(undefined, params, caller));
    } catch (thrown) {
      if (thrown instanceof RpcError) throw thrown;
      const error = asAppError(thrown);
      this.log(error, caller, EXTERNAL_LABEL);
      return { ...toolFailure(error, caller.correlationId) };
    }
  }

  private async runTool(tool: Tool | undefined, params: Params, caller: McpCaller): Promise<Result> {
    if (!tool) {
      const name = stringParam(params, 'name');
      throw new RpcError(INVALID_PARAMS, `Unknown tool: ${echoed(name)}`, { field: 'name' });
    }
    if (!hasScope(caller.principal, tool.scope)) throw scopeMissing(tool);
    const cairn = this.cairn.as(caller);
    const mesh = this.mesh.as(caller, cairn);
    const context = { cairn, mesh, clock: systemClock, pages: this.pages.as(caller), ...this.extras };
    const answer = await tool.call(params['arguments'], context);
    return { ...toolResult(answer, { hasLinks: caller.takesLinks }) };
  }

  private async failed(tool: Tool, error: AppError, args: unknown, caller: McpCaller): Promise<Result> {
    this.log(error, caller, tool.name);
    const failure = tool.errors === 'jsonrpc' ? rpcFailure(error, caller.correlationId) : undefined;
    if (failure) throw new RpcError(failure.code, failure.message, failure.data);
    const { correlationId } = caller;
    return { ...(await failedResult(tool, error, { args, correlationId, sampler: this.extras.sampler })) };
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
    const { compaction } = this.extras;
    return { contents: [await template.read(uri, { cairn: this.cairn.as(caller), compaction })] };
  }

  private refusePrompt(): Result {
    throw new RpcError(INVALID_PARAMS, 'Invalid params: there is no such prompt', { field: 'name' });
  }

  /**
   * The only catch-all: the text of an unexpected error stays in the log, and the caller gets the id to find it there.
   */
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
    const tool = method === 'tools/call' ? labelOf(String(seen.params?.['name'])) : '';
    this.metrics.mcpOperationSeconds.observe({ method, tool, era: caller.era, outcome }, seconds);
    if (!this.logger.isLevelEnabled('debug')) return;
    this.logger.debug({ correlationId: caller.correlationId, method, tool, outcome, seconds }, 'mcp message');
  }
}
