import { ERROR_KINDS, type ErrorCode, type ErrorKind } from './error-codes.js';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The one error that crosses process borders. `code` comes from one table, because classes do not survive the crossing;
 * `details` is safe to show to the caller, `cause` never leaves the process.
 */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: ErrorCode,
    readonly kind: ErrorKind,
    message: string,
    readonly details: ErrorDetails = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** Creates the error of a code, with the kind that the table assigns to it. */
export const fail = (code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown): AppError =>
  new AppError(code, ERROR_KINDS[code], message, details, cause);

/** An invariant that must hold for any input; a broken one is a bug in Cairn. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw fail('internal.defect', message);
}
