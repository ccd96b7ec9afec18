import { createHash } from 'node:crypto';
import type { Principal, ResolvedToken } from '@cairn/contracts';
import { uuidV7, uuidV8 } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Request } from 'express';
import type { CairnClient } from '../cairn/cairn-client.js';

export interface RestCaller extends ResolvedToken {
  readonly correlationId: string;
}

/** A request below /api/v1, with the properties that each guard adds for the guards and handlers after it. */
export interface RestRequest extends Request {
  correlationId?: string;
  caller?: RestCaller;
  /** Settles when the request has been counted; rejects if the token is over its cap. */
  counted?: Promise<unknown>;
  call?: RestCall;
  /** The keys that lead to the part of the body whose texts the handler checks itself. */
  textsCheckedIn?: readonly string[];
}

export const requestOf = (context: ExecutionContext): RestRequest => context.switchToHttp().getRequest<RestRequest>();

/** Returns what an earlier guard has added. If it is missing, the guards are in the wrong order. */
export const required = <K extends 'caller' | 'counted' | 'call'>(
  request: RestRequest,
  name: K,
): NonNullable<RestRequest[K]> => {
  const value = request[name];
  if (!value) throw new Error(`no guard has set the ${name} of the request`);
  return value;
};

/**
 * A repeated request must use the same ids; otherwise it would look like another request under a used key. The ids are
 * hashed together with the token, as the key itself is, so no caller can choose the id of a thing by choosing a key.
 */
const derivedId = (tokenId: string, key: string, purpose: string): string =>
  uuidV8(createHash('sha256').update(`${tokenId}:${key}:${purpose}`).digest('hex'));

/** A read is counted while it runs; over the cap, its answer is discarded. */
const counting = (cairn: CairnPort, counted: Promise<unknown>): CairnPort => ({
  command: (type, data) => cairn.command(type, data),
  query: async (type, data) => {
    const answer = cairn.query(type, data);
    answer.catch(() => undefined);
    await counted;
    return answer;
  },
});

/** One request that has passed the guards: its caller, and Cairn on behalf of that caller. */
export class RestCall {
  readonly cairn: CairnPort;

  constructor(
    private readonly client: CairnClient,
    readonly caller: RestCaller,
    /** For handlers that answer without a request to Cairn. */
    readonly counted: Promise<unknown>,
    private readonly idempotencyKey: string | undefined,
  ) {
    this.cairn = this.as(caller.principal);
  }

  get principal(): Principal {
    return this.caller.principal;
  }

  /** True if the request has an Idempotency-Key. */
  get mayBeRepeat(): boolean {
    return this.idempotencyKey !== undefined;
  }

  /** Cairn on behalf of another principal, for the few routes that act beyond the caller's workspace. */
  as(principal: Principal): CairnPort {
    return counting(this.client.as({ ...this.caller, principal }, this.idempotencyKey), this.counted);
  }

  /** Cairn for one of several commands of this request; each takes effect once even if the request is repeated. */
  part(purpose: string): CairnPort {
    const id = this.idempotencyKey === undefined ? undefined : this.newId(purpose);
    return counting(this.client.as(this.caller, id), this.counted);
  }

  /** Cairn for a command with an idempotency key of its own. */
  under(key: string): CairnPort {
    return counting(this.client.as(this.caller, key), this.counted);
  }

  /** An id for a thing that this request creates; the same id when the request is repeated with its Idempotency-Key. */
  newId(purpose: string): string {
    const { idempotencyKey, principal } = this;
    return idempotencyKey ? derivedId(principal.tokenId, idempotencyKey, purpose) : uuidV7();
  }
}

/** The `RestCall` of the request, as a parameter of a handler. */
export const Call = createParamDecorator((_: unknown, context: ExecutionContext): RestCall =>
  required(requestOf(context), 'call'),
);
