import {
  COMMAND_TIMEOUT_MS,
  commandSubject,
  fail,
  PROPOSE_TIMEOUT_MS,
  QUERY_TIMEOUT_MS,
  querySubject,
  serviceAnswering,
  type CommandData,
  type CommandResult,
  type CommandType,
  type Principal,
  type QueryAnswer,
  type QueryData,
  type QueryType,
  type Reply,
  type Request,
  type ServiceName,
} from '@cairn/contracts';
import { AppError, isErrorCode } from '@cairn/kernel';
import { errors, type NatsConnection } from '@nats-io/transport-node';

/** The parts of a request other than its data. */
export interface RequestContext {
  readonly principal: Principal;
  readonly correlationId: string;
  /** For a command: its idempotency key, kept forever with its answer. */
  readonly id: string;
  readonly atLeast?: number;
  readonly timeoutMs?: number;
}

interface Recipient {
  readonly service: ServiceName;
  readonly subject: string;
  readonly timeoutMs: number;
}

const decoder = new TextDecoder();

/** Request and reply over NATS: one multiplexed inbox per connection, plain JSON on the wire. */
export class Requester {
  constructor(private readonly nats: NatsConnection) {}

  command<T extends CommandType>(type: T, data: CommandData<T>, context: RequestContext): Promise<CommandResult<T>> {
    const timeoutMs = type === 'chunk.propose' ? PROPOSE_TIMEOUT_MS : COMMAND_TIMEOUT_MS;
    return this.send({ service: 'ingest', subject: commandSubject(type), timeoutMs }, data, context);
  }

  query<T extends QueryType>(type: T, data: QueryData<T>, context: RequestContext): Promise<QueryAnswer<T>> {
    const recipient = { service: serviceAnswering(type), subject: querySubject(type), timeoutMs: QUERY_TIMEOUT_MS };
    return this.send(recipient, data, context);
  }

  private async send<T>(recipient: Recipient, data: unknown, context: RequestContext): Promise<T> {
    const { timeoutMs = recipient.timeoutMs, ...rest } = context;
    const request: Request = { ...rest, data };
    const reply = await this.request({ ...recipient, timeoutMs }, JSON.stringify(request));
    if ('ok' in reply) return reply.ok as T;
    const { code, kind, message, details } = reply.error;
    // A newer service may know codes that this one does not; the kind still decides what happens.
    throw new AppError(isErrorCode(code) ? code : 'internal.defect', kind, message, details);
  }

  private async request({ service, subject, timeoutMs }: Recipient, body: string): Promise<Reply<unknown>> {
    try {
      const message = await this.nats.request(subject, body, { timeout: timeoutMs });
      return JSON.parse(decoder.decode(message.data)) as Reply<unknown>;
    } catch (thrown) {
      throw noAnswer(service, thrown);
    }
  }
}

const noAnswer = (service: ServiceName, thrown: unknown): AppError =>
  thrown instanceof errors.TimeoutError
    ? fail('service.timeout', `the ${service} service did not answer in time; try again`, { service }, thrown)
    : fail('service.unavailable', `the ${service} service is unavailable; try again`, { service }, thrown);
