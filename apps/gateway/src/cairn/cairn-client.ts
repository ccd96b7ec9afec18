import type {
  CommandData,
  CommandResult,
  CommandType,
  Principal,
  QueryAnswer,
  QueryData,
  QueryType,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import type { Requester } from '@cairn/messaging';
import { LRUCache } from 'lru-cache';
import { Bulkhead } from './bulkhead.js';

/** Who asks, and under which id the request is found in the logs. */
export interface Caller {
  readonly principal: Principal;
  readonly correlationId: string;
}

/** Tokens whose last write is remembered; forgetting one only means that its next read does not wait. */
const POSITIONS_MAX = 10_000;

/** Requests over NATS on behalf of a caller, within the workspace's share, reading what the caller's token has written. */
export class CairnClient {
  private readonly bulkhead = new Bulkhead();
  private readonly lastWritten = new LRUCache<string, number>({ max: POSITIONS_MAX });

  constructor(private readonly requester: Pick<Requester, 'command' | 'query'>) {}

  /** `commandId` is the idempotency key of the one command that the caller is going to send. */
  as(caller: Caller, commandId?: string): CairnPort {
    return {
      command: (type, data) => this.command(caller, type, data, commandId ?? uuidV7()),
      query: (type, data) => this.query(caller, type, data),
    };
  }

  private async command<T extends CommandType>(
    { principal, correlationId }: Caller,
    type: T,
    data: CommandData<T>,
    id: string,
  ): Promise<CommandResult<T>> {
    const result = await this.bulkhead.run(principal.workspaceId, 'command', () =>
      this.requester.command(type, data, { principal, correlationId, id }),
    );
    this.remember(principal.tokenId, result.position);
    return result;
  }

  private query<T extends QueryType>(
    { principal, correlationId }: Caller,
    type: T,
    data: QueryData<T>,
  ): Promise<QueryAnswer<T>> {
    const atLeast = this.lastWritten.get(principal.tokenId);
    const context = { principal, correlationId, id: uuidV7(), ...(atLeast === undefined ? {} : { atLeast }) };
    return this.bulkhead.run(principal.workspaceId, 'query', () => this.requester.query(type, data, context));
  }

  private remember(tokenId: string, position: number): void {
    if (position > (this.lastWritten.get(tokenId) ?? -1)) this.lastWritten.set(tokenId, position);
  }
}
