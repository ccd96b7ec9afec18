import { fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import { ProtocolError, SdkError, SdkErrorCode, SdkHttpError } from '@modelcontextprotocol/client';

const seconds = (ms: number): string => `${ms / 1_000} s`;

export const timedOut = (ms: number, cause?: unknown): AppError =>
  fail('server.timeout', `the external server did not answer within ${seconds(ms)}`, {}, cause);

const REFUSING = [401, 403];

/** Rewords a refusal of Cairn's own fetch, whose message is about a page, for a server. */
const ofFetch = (error: AppError): AppError => {
  if (error.code === 'url.too_large')
    return fail('server.too_large', 'the answer of the external server is too large', {
      limit: error.details['limit'],
    });
  if (error.code === 'url.refused')
    return fail(
      'server.unavailable',
      'the address of the external server is refused: its name is unknown, it is not public, or it leads elsewhere',
    );
  if (error.code.startsWith('url.'))
    return fail('server.unavailable', 'the external server could not be reached', {}, error);
  return error;
};

const ofStatus = (status: number | undefined, cause: unknown): AppError => {
  if (status !== undefined && REFUSING.includes(status))
    return fail('server.refused', `the external server refused the credential (status ${status})`, {}, cause);
  const shown = status === undefined ? '' : ` (status ${status})`;
  return fail('server.unavailable', `the external server gave no usable answer${shown}`, {}, cause);
};

/** The AppError inside an error of the SDK, which may have wrapped an error from Cairn's own fetch. */
const ownError = (thrown: unknown): AppError | undefined => {
  for (let error = thrown, i = 0; error instanceof Error && i < 5; error = error.cause, i++)
    if (error instanceof AppError) return error;
  return undefined;
};

/**
 * Cairn's error for any failure of a server. The server's own text stays in `cause`, and `cause` stays in the process.
 */
export const failureOf = (thrown: unknown, timeoutMs: number): AppError => {
  const own = ownError(thrown);
  if (own) return ofFetch(own);
  if (thrown instanceof SdkHttpError) return ofStatus(thrown.status, thrown);
  if (thrown instanceof ProtocolError)
    return fail('server.refused', 'the external server refused the call', {}, thrown);
  if (thrown instanceof SdkError) {
    if (thrown.code === SdkErrorCode.RequestTimeout) return timedOut(timeoutMs, thrown);
    if (thrown.code === SdkErrorCode.UnsupportedResultType)
      return fail('server.refused', 'the external server asked for further input, which is not given', {}, thrown);
  }
  if ((thrown as Error | undefined)?.name === 'TimeoutError') return timedOut(timeoutMs, thrown);
  return fail('server.unavailable', 'the external server gave no usable answer', {}, thrown);
};
