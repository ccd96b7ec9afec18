import type { Op } from '@cairn/contracts';
import {
  clientTokenKey,
  commandRecord,
  evolve,
  type ClientTokenState,
  type CommandState,
  type WorkspaceState,
} from '@cairn/domain';
import type { Needs } from './needs.js';
import type { LoadedState } from './state-loader.js';

const linkedBy = (op: Op): string[] => {
  if (op.type === 'item.superseded') return [op.data.itemId, op.data.byItemId];
  return op.type === 'item.forgotten' ? (op.data.ledOn?.items ?? []).map(({ itemId }) => itemId) : [];
};

/**
 * What this process has appended to a workspace and the library may not have applied yet. The next group is decided on
 * the loaded state with this on top, so that it need not wait for the projection of the group before.
 */
export class WorkspaceTail {
  private ops: readonly Op[] = [];

  push(ops: readonly Op[]): void {
    this.ops = [...this.ops, ...ops];
  }

  /** Another process has written: only what was read from the library counts. */
  clear(): void {
    this.ops = [];
  }

  /**
   * What a group needs, widened by the entries that the tail has linked: the library does not know those links yet, and
   * without the entries behind them a circle could close unseen, or one stay hidden behind what is forgotten.
   */
  widened(needs: Needs): Needs {
    if (!needs.itemIds && !needs.forgetting) return needs;
    const linked = this.ops.flatMap(linkedBy);
    return linked.length === 0 ? needs : { ...needs, itemIds: [...(needs.itemIds ?? []), ...linked] };
  }

  onTop(workspaceId: string, loaded: LoadedState): LoadedState {
    this.ops = this.ops.filter((op) => op.workspace === workspaceId && op.position > loaded.head.position);
    const last = this.ops.at(-1);
    if (!last) return loaded;
    const commands = this.commandsOnTop(loaded.state.commands);
    const clientTokens = this.clientTokensOnTop(loaded.state.clientTokens, commands);
    const state = { ...this.ops.reduce<WorkspaceState>(evolve, loaded.state), commands, clientTokens };
    return { head: { position: last.position, hash: last.hash }, state };
  }

  private commandsOnTop(commands: WorkspaceState['commands']): WorkspaceState['commands'] {
    const all = new Map<string, CommandState>(commands);
    for (const op of this.ops) {
      const first = all.get(op.commandId) ?? commandRecord(op);
      all.set(op.commandId, { ...first, position: op.position });
    }
    return all;
  }

  private clientTokensOnTop(
    clientTokens: WorkspaceState['clientTokens'],
    commands: WorkspaceState['commands'],
  ): WorkspaceState['clientTokens'] {
    const all = new Map<string, ClientTokenState>(clientTokens);
    for (const { clientToken, actor, commandId, at } of this.ops) {
      if (!clientToken) continue;
      all.set(clientTokenKey(actor.agentId, clientToken), { command: commands.get(commandId)!, atMs: Date.parse(at) });
    }
    return all;
  }
}
