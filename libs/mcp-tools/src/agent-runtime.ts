import { asAppError, fail, hasScope, type Principal } from '@cairn/contracts';
import { failedResult, toolResult, type ToolResult } from './result.js';
import type { ToolFailure } from './failure.js';
import { findTool, toolsOn } from './registry.js';
import type { JsonSchema } from './published-schema.js';
import type { Tool, ToolContext } from './tool.js';

export interface ListedTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema: JsonSchema;
}

export interface AgentRuntimeOptions {
  readonly context: ToolContext;
  /** The agent: its scopes and toolsets decide which tools it is offered. */
  readonly principal: Pick<Principal, 'scopes' | 'toolsets'>;
  /** The id under which failures are found in the logs. */
  readonly correlationId: string;
}

/**
 * The tools for an agent that runs inside the host, without a transport: those of the network and those that belong to
 * a run. The same rules as for a token decide what it may call.
 */
export class AgentRuntime {
  constructor(private readonly options: AgentRuntimeOptions) {}

  list(): readonly ListedTool[] {
    return toolsOn('in-process')
      .filter((tool) => this.isOffered(tool))
      .map(({ name, title, description, inputSchema, outputSchema }) => {
        return { name, title, description, inputSchema, outputSchema };
      });
  }

  async call(name: string, args: unknown): Promise<ToolResult | ToolFailure> {
    const tool = findTool(name, 'in-process');
    if (!tool || !this.options.principal.toolsets.includes(tool.toolset))
      throw fail('tool.unknown', `there is no tool ${JSON.stringify(name.slice(0, 64))}`);
    const { context, correlationId } = this.options;
    try {
      this.checkScope(tool);
      return toolResult(await tool.call(args, context));
    } catch (thrown) {
      return failedResult(tool, asAppError(thrown), { args, correlationId, sampler: context.sampler });
    }
  }

  private isOffered({ scope, toolset }: Tool): boolean {
    const { principal } = this.options;
    return principal.toolsets.includes(toolset) && hasScope(principal, scope);
  }

  private checkScope({ scope }: Tool): void {
    if (hasScope(this.options.principal, scope)) return;
    throw fail('scope.missing', `this needs the scope ${scope}`, { scope });
  }
}
