import type { ClientTokenUse, Principal } from '@cairn/contracts';
import type { Decision, WorkspaceState } from '@cairn/domain';
import type { Needs } from './needs.js';

/** The result of a command: the entity it created, or an equal earlier one, and the position of its last op. */
export interface Carried {
  readonly entityId: string;
  readonly position: number;
  readonly isNew: boolean;
}

/** A command after all work that does not need the state: ready to be decided, more than once if necessary. */
export interface PreparedCommand<R = unknown> {
  /** Commands in one lane are decided one after the other. */
  readonly lane: string;
  /** Covers type, target and arguments: everything that a repeat has in common with the first request. */
  readonly payloadHash: string;
  readonly clientToken?: ClientTokenUse | undefined;
  readonly id: string;
  /** The key that the caller sent. Earlier builds used it as the id. */
  readonly sentAs?: string | undefined;
  readonly correlationId: string;
  readonly principal: Principal;
  readonly needs: Omit<Needs, 'commandIds'>;
  /** A conflict is caused by ops that the library does not have yet: the command is decided once more after them. */
  decide(state: WorkspaceState, atMs: number): Decision;
  /** Makes the keys of a new item durable, because they must exist before the op does. */
  beforeAppend?(): Promise<void>;
  answer(carried: Carried): R | Promise<R>;
}
