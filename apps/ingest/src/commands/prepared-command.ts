import type { ClientTokenUse, Principal } from '@cairn/contracts';
import type { Decision, WorkspaceState } from '@cairn/domain';
import type { Needs } from './needs.js';

/** What has become of a command: the entity it made, or an earlier one like it, and the position of its last op. */
export interface Carried {
  readonly entityId: string;
  readonly position: number;
  readonly isNew: boolean;
}

/** A command with all the work done that does not need the state: ready to be decided, more than once if necessary. */
export interface PreparedCommand<R = unknown> {
  /** Commands in one lane are decided one after the other. */
  readonly lane: string;
  /** Covers its type, its target and its arguments: what a repeat has in common with the first. */
  readonly payloadHash: string;
  readonly clientToken?: ClientTokenUse | undefined;
  readonly id: string;
  /** The key that the caller sent. Earlier builds used it as the id. */
  readonly sentAs?: string | undefined;
  readonly correlationId: string;
  readonly principal: Principal;
  readonly needs: Omit<Needs, 'commandIds'>;
  /** A conflict means that ops on their way into the library are in the way: it is decided once more, after them. */
  decide(state: WorkspaceState, atMs: number): Decision;
  /** Makes durable what must exist before the op does: the keys of a new item. */
  beforeAppend?(): Promise<void>;
  answer(carried: Carried): R | Promise<R>;
}
