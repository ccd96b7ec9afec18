import { readerOf } from '@cairn/access';
import type {
  CommandData,
  CommandResult,
  CommandType,
  QueryAnswer,
  QueryData,
  QueryType,
  ResolvedToken,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import type { Requester } from '@cairn/messaging';
import { LRUCache } from 'lru-cache';
import { Bulkhead } from './bulkhead.js';
import { checkScope } from './scope-check.js';

/** The caller, and the id under which the request appears in the logs. */
export interface Caller extends Omit<ResolvedToken, 'expiresAt'> {
  readonly correlationId: string;
}

/** Called when an answer contained something its reader may not see. It was dropped, but the service is faulty. */
export type ViolationListener = (type: QueryType, dropped: number, caller: Caller) => void;

/** The number of tokens whose last write is remembered. For a token that is dropped, the next read does not wait. */
const POSITIONS_MAX = 10_000;

/**
 * Sends requests over NATS on behalf of a caller, within the workspace's limit. A read includes the token's own writes.
 */
export class CairnClient {
  private readonly bulkhead = new Bulkhead();
  private readonly lastWritten = new LRUCache<string, number>({ max: POSITIONS_MAX });

  constructor(
    private readonly requester: Pick<Requester, 'command' | 'query'>,
    private readonly onViolation: ViolationListener = () => undefined,
    /** Throws for a token that was revoked during its request: nothing more is done for it. */
    private readonly assertGood: (tokenId: string) => void = () => undefined,
  ) {}

  /** `commandId` is the idempotency key of the one command that the caller will send. */
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
    this.assertGood(principal.tokenId);
    const lane = type === 'chunk.propose' ? 'proposal' : 'command';
    const result = await this.bulkhead.run(principal.workspaceId, lane, () =>
      this.requester.command(type, data, { principal, correlationId, id }),
    );
    if ('position' in result) this.remember(principal.tokenId, result.position);
    return result;
  }

  private async query<T extends QueryType>(caller: Caller, type: T, data: QueryData<T>): Promise<QueryAnswer<T>> {
    const { principal, correlationId } = caller;
    const atLeast = this.lastWritten.get(principal.tokenId);
    const context = { principal, correlationId, id: uuidV7(), ...(atLeast === undefined ? {} : { atLeast }) };
    const ask = () => this.requester.query(type, data, context);
    const answer = await this.bulkhead.run(principal.workspaceId, 'query', ask);
    const reader = readerOf(principal, 'surface' in data ? data.surface : 'mcp');
    return checkScope(type, answer, reader, (dropped) => this.onViolation(type, dropped, caller));
  }

  private remember(tokenId: string, position: number): void {
    if (position > (this.lastWritten.get(tokenId) ?? -1)) this.lastWritten.set(tokenId, position);
  }
}
