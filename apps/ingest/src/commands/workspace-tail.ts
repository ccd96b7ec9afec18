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
 * The ops that this process has appended to a workspace and that the library may not have applied yet. The next group
 * is decided on the loaded state plus these, so it need not wait for the projection of the previous group.
 */
export class WorkspaceTail {
  private ops: readonly Op[] = [];

  push(ops: readonly Op[]): void {
    this.ops = [...this.ops, ...ops];
  }

  /** Another process has written, so only the state read from the library counts. */
  clear(): void {
    this.ops = [];
  }

  /**
   * The needs of a group, extended by the entries that the tail has linked: the library does not know those links yet.
   * Without those entries, a circle could close unseen, or an entry could stay hidden behind a forgotten one.
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
