/** What went wrong decides what happens next (docs/reference/errors.md); the call site does not. */
export type ErrorKind = 'invalid' | 'denied' | 'missing' | 'rule' | 'conflict' | 'unavailable' | 'defect';

export type ErrorDetails = Readonly<Record<string, unknown>>;

/**
 * The one error that crosses our borders. `code` is a dotted string from `@cairn/contracts`, because classes do not
 * survive a process border; `details` is safe to show to the caller, `cause` never leaves the process.
 */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: string,
    readonly kind: ErrorKind,
    message: string,
    readonly details: ErrorDetails = {},
    cause?: unknown,
  ) {
    super(message, cause === undefined ? undefined : { cause });
  }
}

/** An invariant that must hold whatever a caller sends; a broken one is our bug. */
export function assert(condition: unknown, message: string): asserts condition {
  if (!condition) throw new AppError('internal.defect', 'defect', message);
}
