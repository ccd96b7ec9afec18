import {
  COMMAND_TIMEOUT_MS,
  commandSubject,
  fail,
  PROPOSE_TIMEOUT_MS,
  QUERY_TIMEOUT_MS,
  querySubject,
  type CommandData,
  type CommandResult,
  type CommandType,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type QueryType,
  type Reply,
  type Request,
} from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { errors, type NatsConnection } from '@nats-io/transport-node';

/** What a request carries besides its data. */
export interface RequestContext {
  readonly principal: Principal;
  readonly correlationId: string;
  /** Of a command: its idempotency key, kept for ever with its answer. */
  readonly id: string;
  readonly atLeast?: number;
  readonly timeoutMs?: number;
}

const decoder = new TextDecoder();

/** Request and reply over NATS: one multiplexed inbox per connection, plain JSON on the wire. */
export class Requester {
  constructor(private readonly nats: NatsConnection) {}

  command<T extends CommandType>(type: T, data: CommandData<T>, context: RequestContext): Promise<CommandResult<T>> {
    const timeoutMs = type === 'chunk.propose' ? PROPOSE_TIMEOUT_MS : COMMAND_TIMEOUT_MS;
    return this.send(commandSubject(type), data, context, timeoutMs);
  }

  query<T extends QueryType>(type: T, data: QueryData<T>, context: RequestContext): Promise<QueryAnswer<T>> {
    return this.send(querySubject(type), data, context, QUERY_TIMEOUT_MS);
  }

  private async send<T>(subject: string, data: unknown, context: RequestContext, defaultTimeoutMs: number): Promise<T> {
    const { timeoutMs = defaultTimeoutMs, ...rest } = context;
    const request: Request = { ...rest, data };
    const reply = await this.request(subject, JSON.stringify(request), timeoutMs);
    if ('ok' in reply) return reply.ok as T;
    const { code, kind, message, details } = reply.error;
    throw new AppError(code, kind, message, details);
  }

  private async request(subject: string, body: string, timeoutMs: number): Promise<Reply<unknown>> {
    try {
      const message = await this.nats.request(subject, body, { timeout: timeoutMs });
      return JSON.parse(decoder.decode(message.data)) as Reply<unknown>;
    } catch (thrown) {
      throw this.wrap(subject, thrown);
    }
  }

  private wrap(subject: string, thrown: unknown): AppError {
    const service = subject.startsWith('cmd.') ? 'ingest' : subject.includes('embed') ? 'embedder' : 'search';
    if (thrown instanceof errors.TimeoutError) {
      return fail('service.timeout', `the ${service} service did not answer in time; try again`, { service }, thrown);
    }
    return fail('service.unavailable', `the ${service} service is away; try again`, { service }, thrown);
  }
}
