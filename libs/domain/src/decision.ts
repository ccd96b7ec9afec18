import type { DomainEvent, Principal } from '@cairn/contracts';

/** A command with everything that a decider may use: caller, time and data. Nothing is looked up while deciding. */
export interface Decidable<D> {
  readonly commandId: string;
  readonly principal: Principal;
  readonly atMs: number;
  readonly data: D;
}

/**
 * The result of a decider: events to append, or none if the same was done before; and the id that the answer is about.
 * A refusal is thrown as an AppError.
 */
export interface Decision {
  readonly events: readonly DomainEvent[];
  readonly entityId: string;
}

export const decided = (entityId: string, ...events: DomainEvent[]): Decision => ({ events, entityId });
export const alreadyDone = (entityId: string): Decision => ({ events: [], entityId });
