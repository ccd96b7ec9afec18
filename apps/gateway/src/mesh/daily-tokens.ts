import { meshTokensSubject } from '@cairn/contracts';
import type { Clock } from '@cairn/kernel';
import type { BudgetCounter } from './budget-counter.port.js';

const DAY_MS = 86_400_000;

/** The tokens of one day. A fetch keeps its day, so that midnight does not come between a reservation and its end. */
export interface DayTokens {
  /** Adds and returns the new sum; a negative number releases tokens. */
  add(tokens: number): Promise<number>;
  secondsLeft(): number;
}

/** Tokens that a workspace fetches from its sources, per UTC day, over all replicas. */
export class DailyTokens {
  constructor(
    private readonly counter: BudgetCounter,
    private readonly clock: Clock,
  ) {}

  used(workspaceId: string): Promise<number> {
    return this.today(workspaceId).add(0);
  }

  today(workspaceId: string): DayTokens {
    const startMs = Math.floor(this.clock.now() / DAY_MS) * DAY_MS;
    const subject = meshTokensSubject(workspaceId, new Date(startMs).toISOString().slice(0, 10));
    return {
      add: (tokens) => this.counter.add(subject, tokens),
      secondsLeft: () => Math.max(1, Math.ceil((startMs + DAY_MS - this.clock.now()) / 1_000)),
    };
  }
}
