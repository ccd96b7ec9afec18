import { fail, QUERY_TIMEOUT_MS, type Principal } from '@cairn/contracts';
import { FairGate } from '@cairn/kernel';

type Caller = Pick<Principal, 'workspaceId' | 'tokenId'>;
export type InTurn = <T>(statement: () => Promise<T>) => Promise<T>;

interface Lane {
  readonly gate: FairGate;
  /** Running and waiting statements of the workspace; it is dropped when there are none. */
  used: number;
}

/**
 * The queue in front of the database. PGlite runs one statement at a time and a pool has few connections, so workspaces
 * take turns by statement, and so do the tokens within a workspace's turns. A workspace never has every place at once,
 * so another one finds a free place without waiting (ADR 0049).
 */
export class SearchTurns {
  private readonly shared: FairGate;
  private readonly lanes = new Map<string, Lane>();

  /** `places`: the number of connections for searches. */
  constructor(
    private readonly places: number,
    private readonly nowMs: () => number = () => performance.now(),
  ) {
    this.shared = new FairGate(places);
  }

  /** For the statements of one search. A statement that waited until its caller gave up is not run. */
  of(caller: Caller): InTurn {
    const deadlineMs = this.nowMs() + QUERY_TIMEOUT_MS;
    return (statement) =>
      this.run(caller, () => {
        if (this.nowMs() >= deadlineMs)
          throw fail('service.timeout', 'the search waited too long for its turn; try again');
        return statement();
      });
  }

  private async run<T>({ workspaceId, tokenId }: Caller, statement: () => Promise<T>): Promise<T> {
    const lane = this.lanes.get(workspaceId) ?? { gate: new FairGate(this.places - 1), used: 0 };
    this.lanes.set(workspaceId, lane);
    lane.used++;
    try {
      return await lane.gate.run({ keys: [tokenId], size: 1 }, () =>
        this.shared.run({ keys: [workspaceId], size: 1 }, async () => statement()),
      );
    } finally {
      if (--lane.used === 0) this.lanes.delete(workspaceId);
    }
  }
}
