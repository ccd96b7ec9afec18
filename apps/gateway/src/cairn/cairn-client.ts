import { readerOf } from '@cairn/access';
import type {
  CommandData,
  CommandResult,
  CommandType,
  Principal,
  QueryAnswer,
  QueryData,
  QueryType,
  ResolvedToken,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import type { Requester } from '@cairn/messaging';
import { Bulkhead } from './bulkhead.js';
import { checkScope } from './scope-check.js';
import { WrittenPositions } from './written-positions.js';

/** The caller, and the id under which the request appears in the logs. */
export interface Caller extends Omit<ResolvedToken, 'expiresAt'> {
  readonly correlationId: string;
}

/** Called when an answer contained something its reader may not see. It was dropped, but the service is faulty. */
export type ViolationListener = (type: QueryType, dropped: number, caller: Caller) => void;

/**
 * Sends requests over NATS on behalf of a caller, within the workspace's limit. A read includes the token's own writes.
 */
export class CairnClient {
  private readonly bulkhead = new Bulkhead();

  constructor(
    private readonly requester: Pick<Requester, 'command' | 'query'>,
    private readonly onViolation: ViolationListener = () => undefined,
    /** Throws for a token that was revoked during its request: nothing more is done for it. */
    private readonly assertGood: (tokenId: string) => void = () => undefined,
    private readonly positions: WrittenPositions = new WrittenPositions(),
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
    if ('position' in result) await this.positions.wrote(principal.tokenId, result.position);
    return result;
  }

  private async query<T extends QueryType>(caller: Caller, type: T, data: QueryData<T>): Promise<QueryAnswer<T>> {
    const { principal, correlationId } = caller;
    const ask = (atLeast: number | undefined): Promise<QueryAnswer<T>> =>
      this.requester.query(type, data, {
        ...{ principal, correlationId, id: uuidV7() },
        ...(atLeast === undefined ? {} : { atLeast }),
      });
    const answer = await this.bulkhead.run(principal.workspaceId, 'query', () => this.afterWrites(principal, ask));
    const reader = readerOf(principal, 'surface' in data ? data.surface : 'mcp');
    return checkScope(type, answer, reader, (dropped) => this.onViolation(type, dropped, caller));
  }

  /**
   * Asks for an answer that includes the token's own writes. The notice of a write through another gateway was sent
   * before that write was answered, so it arrives before the answer to a later question: if one arrived meanwhile, the
   * answer may lack the write, and the question is repeated (ADR 0124).
   */
  private async afterWrites<T>(
    { tokenId }: Pick<Principal, 'tokenId'>,
    ask: (atLeast: number | undefined) => Promise<T>,
  ): Promise<T> {
    const position = this.positions.of(tokenId);
    const answer = await ask(position);
    const isComplete = isStale(answer) || !this.positions.isReportedBeyond(tokenId, position);
    return isComplete ? answer : ask(this.positions.of(tokenId));
  }
}

/** An answer that already says so needs no repetition, which would wait for the same projection. */
const isStale = (answer: unknown): boolean => (answer as { readonly stale?: unknown } | null)?.stale === true;
