import {
  COMMANDS_IN_FLIGHT_PER_WORKSPACE,
  CORRECTIONS_IN_FLIGHT_PER_WORKSPACE,
  EXTERNAL_CALLS_IN_FLIGHT_PER_WORKSPACE,
  fail,
  FETCHES_IN_FLIGHT_PER_WORKSPACE,
  QUERIES_IN_FLIGHT_PER_WORKSPACE,
} from '@cairn/contracts';

type Lane = 'command' | 'proposal' | 'query' | 'page' | 'external';

const LANE_MAX: Record<Lane, number> = {
  command: COMMANDS_IN_FLIGHT_PER_WORKSPACE,
  // A model may take half a minute, so proposals do not share the limit of the writes.
  proposal: CORRECTIONS_IN_FLIGHT_PER_WORKSPACE,
  query: QUERIES_IN_FLIGHT_PER_WORKSPACE,
  page: FETCHES_IN_FLIGHT_PER_WORKSPACE,
  external: EXTERNAL_CALLS_IN_FLIGHT_PER_WORKSPACE,
};

/** One busy workspace must not take the capacity of the others; a call above the limit is rejected at once. */
export class Bulkhead {
  private readonly inFlight = new Map<string, number>();

  async run<T>(workspaceId: string, lane: Lane, work: () => Promise<T>): Promise<T> {
    const key = `${lane}:${workspaceId}`;
    const count = this.inFlight.get(key) ?? 0;
    if (count >= LANE_MAX[lane]) {
      const limit = LANE_MAX[lane];
      throw fail('busy', `this workspace has ${limit} requests of this kind in flight; try again`, { limit });
    }
    this.inFlight.set(key, count + 1);
    try {
      return await work();
    } finally {
      this.leave(key);
    }
  }

  private leave(key: string): void {
    const count = (this.inFlight.get(key) ?? 1) - 1;
    if (count === 0) this.inFlight.delete(key);
    else this.inFlight.set(key, count);
  }
}
