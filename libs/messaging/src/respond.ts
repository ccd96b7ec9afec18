import { asAppError, droppingUnknown, fail, parseInput, Request, type Principal, type Reply } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { z } from 'zod';

export interface ParsedRequest<D> {
  readonly id: string;
  readonly correlationId: string;
  readonly principal: Principal;
  readonly atLeast?: number | undefined;
  readonly data: D;
}

/** Called for every request that failed, with the parsed context if there is one. */
export type FailureListener = (error: AppError, request: { readonly correlationId?: string }) => void;

const decoder = new TextDecoder('utf-8', { fatal: true });

const parseRequest = (bytes: Uint8Array): Request => {
  try {
    return parseInput(droppingUnknown(Request), JSON.parse(decoder.decode(bytes)));
  } catch (thrown) {
    throw fail('input.malformed', 'the request is not a valid envelope', {}, thrown);
  }
};

/**
 * Parses the envelope and its data, without the fields that only a newer sender knows, calls the handler, and answers
 * once, with a result or an error. Answers are JSON
 * text, which `natsTransport` puts on the wire unchanged.
 */
export const respond = async <S extends z.ZodType, R>(
  bytes: Uint8Array,
  schema: S,
  handle: (request: ParsedRequest<z.infer<S>>) => R | Promise<R>,
  onFailure: FailureListener,
): Promise<string> => {
  let correlationId: string | undefined;
  try {
    const request = parseRequest(bytes);
    correlationId = request.correlationId;
    const data = parseInput(droppingUnknown(schema), request.data);
    const ok = await handle({ ...request, data });
    return JSON.stringify({ ok } satisfies Reply<R>);
  } catch (thrown) {
    const error = asAppError(thrown);
    onFailure(error, correlationId === undefined ? {} : { correlationId });
    const { code, kind, message, details } = error;
    return JSON.stringify({ error: { code, kind, message, details } } satisfies Reply<R>);
  }
};
