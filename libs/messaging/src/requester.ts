import {
  COMMAND_TIMEOUT_MS,
  COMMANDS,
  commandSubject,
  EMBEDDER_QUERIES,
  ERROR_TABLE,
  fail,
  INGEST_QUERIES,
  laneOf,
  ownSubject,
  PROPOSE_TIMEOUT_MS,
  QUERY_TIMEOUT_MS,
  querySubject,
  SEARCH_QUERIES,
  serviceAnswering,
  withoutUnknown,
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
import { errors, type Msg, type NatsConnection } from '@nats-io/transport-node';
import type { z } from 'zod';
import type { LivingIngests } from './living-ingests.js';

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
  /** The replica that is asked first. */
  readonly replicaId?: string | undefined;
  readonly answer: z.ZodType;
}

/** The schemas of answers, by the type of the command or query. */
const ANSWERS: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ...COMMANDS.map(({ type, result }) => [type, result] as const),
  ...[...SEARCH_QUERIES, ...EMBEDDER_QUERIES, ...INGEST_QUERIES].map(({ type, answer }) => [type, answer] as const),
]);

const decoder = new TextDecoder();

/** Request and reply over NATS: one multiplexed inbox per connection, plain JSON on the wire. */
export class Requester {
  constructor(
    private readonly nats: NatsConnection,
    /** Without it, any replica may get a command. */
    private readonly ingests?: LivingIngests,
  ) {}

  command<T extends CommandType>(type: T, data: CommandData<T>, context: RequestContext): Promise<CommandResult<T>> {
    const timeoutMs = type === 'chunk.propose' ? PROPOSE_TIMEOUT_MS : COMMAND_TIMEOUT_MS;
    // A proposal appends nothing, and a model works on it: any replica may do that.
    const isInLane = type !== 'chunk.propose';
    const replicaId = isInLane ? this.ingests?.ownerOf(laneOf(type, context.principal.workspaceId)) : undefined;
    const recipient = { service: 'ingest', subject: commandSubject(type), timeoutMs, replicaId } as const;
    return this.send({ ...recipient, answer: ANSWERS.get(type)! }, data, context);
  }

  query<T extends QueryType>(type: T, data: QueryData<T>, context: RequestContext): Promise<QueryAnswer<T>> {
    const recipient = { service: serviceAnswering(type), subject: querySubject(type), timeoutMs: QUERY_TIMEOUT_MS };
    return this.send({ ...recipient, answer: ANSWERS.get(type)! }, data, context);
  }

  private async send<T>(recipient: Recipient, data: unknown, context: RequestContext): Promise<T> {
    const { timeoutMs = recipient.timeoutMs, ...rest } = context;
    const request: Request = { ...rest, data };
    const reply = await this.request({ ...recipient, timeoutMs }, JSON.stringify(request));
    if ('ok' in reply) return withoutUnknown(recipient.answer, reply.ok) as T;
    const { code, kind, message, details } = reply.error;
    // A newer service may know codes that this one does not; the kind still decides what happens.
    const knownKind = kind in ERROR_TABLE ? kind : 'defect';
    throw new AppError(isErrorCode(code) ? code : 'internal.defect', knownKind, message, details);
  }

  private async request({ service, subject, timeoutMs, replicaId }: Recipient, body: string): Promise<Reply<unknown>> {
    try {
      const asked = replicaId === undefined ? undefined : await this.requestOf(replicaId, subject, body, timeoutMs);
      const message = asked ?? (await this.nats.request(subject, body, { timeout: timeoutMs }));
      return JSON.parse(decoder.decode(message.data)) as Reply<unknown>;
    } catch (thrown) {
      throw noAnswer(service, thrown);
    }
  }

  /** Undefined, and at once, if the replica is gone: then no one has got the request, and any other may have it. */
  private async requestOf(replicaId: string, subject: string, body: string, timeout: number): Promise<Msg | undefined> {
    try {
      return await this.nats.request(ownSubject(subject, replicaId), body, { timeout });
    } catch (thrown) {
      if (!isUnanswerable(thrown)) throw thrown;
      this.ingests?.drop(replicaId);
      return undefined;
    }
  }
}

const isUnanswerable = (thrown: unknown): boolean => thrown instanceof errors.RequestError && thrown.isNoResponders();

const isRefused = (thrown: unknown): boolean =>
  thrown instanceof Error && thrown.cause instanceof errors.PermissionViolationError;

const noAnswer = (service: ServiceName, thrown: unknown): AppError => {
  if (thrown instanceof errors.TimeoutError)
    return fail('service.timeout', `the ${service} service did not answer in time; try again`, { service }, thrown);
  const message = isRefused(thrown)
    ? `the broker does not let this user send requests to the ${service} service; only the users gateway and cli may`
    : `the ${service} service is unavailable; try again`;
  return fail('service.unavailable', message, { service }, thrown);
};
