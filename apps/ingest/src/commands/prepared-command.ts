import type { ClientTokenUse, LoggedCommandType, Principal } from '@cairn/contracts';
import type { Decision, WorkspaceState } from '@cairn/domain';
import type { Pool } from 'pg';
import type { Needs } from './state.loader.js';

/** A command with all the work done that needs no look at the workspace: ready to be decided, more than once if need be. */
export interface PreparedCommand {
  readonly type: LoggedCommandType;
  /** Of its type, its target and its arguments: what a repeat has in common with the first. */
  readonly payloadHash: string;
  readonly clientToken?: ClientTokenUse | undefined;
  readonly id: string;
  /** The key that the caller sent. Earlier builds used it as the id. */
  readonly sentAs?: string | undefined;
  readonly correlationId: string;
  readonly principal: Principal;
  readonly needs: Omit<Needs, 'commandIds'>;
  /** A conflict means: not on ops that are still on their way into the library. It is then decided once more, behind them. */
  decide(state: WorkspaceState, atMs: number): Decision;
  /** Makes durable what must be there before the op is: the keys of a new item. */
  beforeAppend?(): Promise<void>;
  /** The answer for an id that this command, or an earlier one like it, has made. */
  answer(entityId: string, position: number, pool: Pool, isNew: boolean): Promise<unknown>;
}
