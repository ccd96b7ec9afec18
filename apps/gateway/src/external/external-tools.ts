import { asAppError, echoed, fail, hasScope, type OpenedServer, type Principal, type Scope } from '@cairn/contracts';
import { NAME_SEPARATOR, type ExternalResult, type ExternalServers, type ExternalTool } from '@cairn/external-mcp';
import { SANITIZED_META, type JsonSchema } from '@cairn/mcp-tools';
import type { Metrics } from '@cairn/observability';
import { Bulkhead } from '../cairn/bulkhead.js';
import type { SeenServer, ToolCatalogue } from './tool-catalogue.js';

const SCOPE: Scope = 'external';

export interface ExternalListing {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly annotations: object;
}

/** True if the name can only belong to an external tool: none of Cairn's own tools contains the separator. */
export const isExternalName = (name: string): boolean => name.includes(NAME_SEPARATOR);

const seesExternal = ({ toolsets }: Principal): boolean => toolsets.includes('external');

const mayCall = (principal: Principal): boolean => seesExternal(principal) && hasScope(principal, SCOPE);

const changed = (listedAs: string) =>
  fail(
    'server.tool_changed',
    `${listedAs} is not as it was approved; an admin can look at it and approve it in the console under Servers`,
  );

/** Undefined if the server does not offer the name. */
const approvedTool = ({ tools, error }: SeenServer, name: string): ExternalTool | undefined => {
  if (error) throw error;
  const found = tools.find(({ tool }) => tool.listedAs === name);
  if (found && found.state !== 'listed') throw changed(name);
  return found?.tool;
};

const resultOf = ({ content, structuredContent, isError, sanitized }: ExternalResult): Record<string, unknown> => ({
  content,
  ...(structuredContent && { structuredContent }),
  ...(isError && { isError }),
  ...(sanitized && { _meta: { [SANITIZED_META]: true } }),
});

/** The tools of external servers, beside those of Cairn. */
export class ExternalTools {
  private readonly bulkhead = new Bulkhead();

  constructor(
    private readonly catalogue: ToolCatalogue,
    private readonly servers: Pick<ExternalServers, 'call'>,
    private readonly metrics: Metrics,
  ) {}

  /** Called when a caller's session begins: it will soon list the tools. */
  warm(principal: Principal): void {
    if (mayCall(principal)) this.catalogue.warm(principal.workspaceId);
  }

  /** The scope that a call of this name needs and the caller lacks. Names that do not exist get the same answer. */
  missingScope(name: string, principal: Principal): Scope | undefined {
    return isExternalName(name) && seesExternal(principal) && !hasScope(principal, SCOPE) ? SCOPE : undefined;
  }

  /** Never fails because of a server, nor because Cairn cannot list its servers. */
  async list(principal: Principal): Promise<ExternalListing[]> {
    if (!mayCall(principal)) return [];
    const seen = await this.catalogue.seen(principal.workspaceId).catch(() => []);
    return seen
      .flatMap(({ tools }) => tools.filter(({ state }) => state === 'listed'))
      .map(({ tool: { listedAs: name, description, inputSchema, annotations } }) => ({
        name,
        description,
        inputSchema: inputSchema as JsonSchema,
        annotations,
      }));
  }

  /** Whether the caller may know that such a tool could exist. */
  offers(name: string, principal: Principal): boolean {
    return isExternalName(name) && seesExternal(principal);
  }

  /** Undefined if no server of the workspace offers the name. */
  async call(name: string, args: unknown, principal: Principal): Promise<Record<string, unknown> | undefined> {
    if (!hasScope(principal, SCOPE))
      throw fail('scope.missing', `${echoed(name)} needs a token with the scope ${SCOPE}`, { scope: SCOPE });
    const { workspaceId } = principal;
    const seen = await this.catalogue.seen(workspaceId);
    const of = seen.find(({ server }) => server.enabled && name.startsWith(`${server.name}${NAME_SEPARATOR}`));
    if (!of) return undefined;
    try {
      const tool = approvedTool(of, name);
      if (!tool) return undefined;
      const result = await this.bulkhead.run(workspaceId, 'external', () => this.send(of.server, tool, args));
      this.metrics.externalCalls.inc({ outcome: result.isError ? 'tool_error' : 'ok' });
      return resultOf(result);
    } catch (thrown) {
      const error = asAppError(thrown);
      const outcome = error.code.startsWith('server.') ? error.code.slice('server.'.length) : 'refused_here';
      this.metrics.externalCalls.inc({ outcome });
      throw error;
    }
  }

  /** A server that did not answer is queried for its tools again before the next call. */
  private async send(server: OpenedServer, tool: ExternalTool, args: unknown): Promise<ExternalResult> {
    try {
      return await this.servers.call(server, tool, args);
    } catch (thrown) {
      const { code } = asAppError(thrown);
      if (code === 'server.unavailable' || code === 'server.timeout') this.catalogue.stale(server.id);
      throw thrown;
    }
  }
}
