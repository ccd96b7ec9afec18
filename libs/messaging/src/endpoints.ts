import {
  commandSubject,
  querySubject,
  type CommandData,
  type CommandResult,
  type CommandType,
  type QueryAnswer,
  type QueryData,
  type QueryType,
} from '@cairn/contracts';
import type { z } from 'zod';
import { respond, type FailureListener, type ParsedRequest } from './respond.js';

/** One handler for several commands. */
export type CommandHandler<T extends CommandType> = (
  type: T,
  request: ParsedRequest<CommandData<T>>,
) => Promise<CommandResult<T>>;

/** A handler for each of some queries: a missing handler, or one with another answer type, does not compile. */
export type QueryHandlers<T extends QueryType> = {
  readonly [Q in T]: (request: ParsedRequest<QueryData<Q>>) => QueryAnswer<Q> | Promise<QueryAnswer<Q>>;
};

/** How a service handles requests on one subject. */
export interface Endpoint {
  readonly kind: 'command' | 'query';
  readonly type: string;
  readonly answer: (bytes: Uint8Array, onFailure: FailureListener) => Promise<string>;
}

/** By subject. */
export type Endpoints = ReadonlyMap<string, Endpoint>;

export const commandEndpoints = <T extends CommandType>(
  commands: readonly { readonly type: T; readonly schema: z.ZodType<CommandData<T>> }[],
  handle: CommandHandler<T>,
): Endpoints =>
  new Map(
    commands.map(({ type, schema }) => [
      commandSubject(type),
      {
        kind: 'command',
        type,
        answer: (bytes, onFailure) => respond(bytes, schema, (request) => handle(type, request), onFailure),
      },
    ]),
  );

export const queryEndpoints = <T extends QueryType>(
  queries: readonly { readonly type: T; readonly schema: z.ZodType<QueryData<T>> }[],
  handlers: QueryHandlers<T>,
  /** Throws if the service must not answer at the moment. */
  fence: (type: T) => Promise<void> | undefined = () => undefined,
): Endpoints =>
  new Map(
    queries.map(({ type, schema }) => [
      querySubject(type),
      {
        kind: 'query',
        type,
        answer: (bytes, onFailure) =>
          respond(
            bytes,
            schema,
            async (request) => {
              await fence(type);
              return handlers[type](request);
            },
            onFailure,
          ),
      },
    ]),
  );
