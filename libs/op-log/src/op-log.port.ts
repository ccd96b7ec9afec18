import type { Actor, ClientTokenUse, DomainEvent, Op } from '@cairn/contracts';

/** An event that is about to become an op: the writer adds its place in the log and in the hash chain. */
export interface NewOp {
  readonly id: string;
  readonly event: DomainEvent;
  readonly actor: Actor;
  readonly at: string;
  readonly commandId: string;
  readonly payloadHash?: string;
  readonly clientToken?: ClientTokenUse | undefined;
  readonly correlationId: string;
}

/** Position and chain hash of the newest op of the workspace that the decision is based on. */
export interface WorkspaceHead {
  readonly position: number;
  readonly hash: string;
}

/**
 * `conflict`: another writer appended first, or this very append was stored before and its acknowledgement was lost.
 * `unknown`: no acknowledgement arrived, which never means "failed". In both cases the caller catches up, looks for its
 * command ids, and decides again.
 */
export type AppendOutcome =
  | { readonly kind: 'appended'; readonly ops: readonly Op[] }
  | { readonly kind: 'conflict' }
  | { readonly kind: 'unknown' };

/** A stored op as bytes, for projections that keep it, with its parsed form. */
export interface StoredOp {
  readonly position: number;
  readonly subject: string;
  readonly body: Uint8Array;
  readonly op: Op;
}

/** Returns the available entries in order; an empty answer means that none arrived within `waitMs`. */
export interface EntryReader<T> {
  next(max: number, waitMs: number): Promise<readonly T[]>;
  close(): Promise<void>;
}

export interface OpLog {
  /** All or nothing: the ops are stored next to each other, or none is. */
  append(workspaceId: string, expected: WorkspaceHead, ops: readonly NewOp[]): Promise<AppendOutcome>;
  /** Position of the newest op of the log; of one workspace, if given. 0 when there is none. */
  head(workspaceId?: string): Promise<number>;
  read(fromPosition: number): EntryReader<StoredOp>;
  /** The stored bytes of the op at this position; undefined if there is none. */
  bodyAt(position: number): Promise<Uint8Array | undefined>;
  /**
   * Removes the ops of something forgotten from the log and from the disk. Allowed only after an op that names them: the
   * newest op of a workspace must stay, or its head would move back.
   */
  erase(positions: readonly number[]): Promise<void>;
  /** Which of these positions still have an op. */
  present(positions: readonly number[]): Promise<readonly number[]>;
}
