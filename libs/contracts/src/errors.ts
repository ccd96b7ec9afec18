import { AppError, fail, type ErrorCode, type ErrorKind } from '@cairn/kernel';

export { ERROR_KINDS, fail, type ErrorCode } from '@cairn/kernel';

/** The one error table: what each kind means at each border. */
export const ERROR_TABLE = {
  invalid: { httpStatus: 400, retry: false, logLevel: 'debug' },
  denied: { httpStatus: 403, retry: false, logLevel: 'info' },
  missing: { httpStatus: 404, retry: false, logLevel: 'debug' },
  rule: { httpStatus: 422, retry: false, logLevel: 'info' },
  conflict: { httpStatus: 409, retry: true, logLevel: 'warn' },
  unavailable: { httpStatus: 503, retry: true, logLevel: 'warn' },
  defect: { httpStatus: 500, retry: false, logLevel: 'error' },
} as const satisfies Record<ErrorKind, { httpStatus: number; retry: boolean; logLevel: string }>;

type LogLevel = (typeof ERROR_TABLE)[ErrorKind]['logLevel'];

/** Codes whose HTTP status is more specific than that of their kind. */
const HTTP_STATUS: Partial<Record<ErrorCode, number>> = {
  'auth.missing': 401,
  'auth.invalid': 401,
  'auth.flood': 429,
  'input.too_large': 413,
  'input.timeout': 408,
  'route.method_not_allowed': 405,
  'route.unsupported_media': 415,
  'file.unsupported': 415,
  busy: 429,
  rate_limited: 429,
  'workspace.slug_taken': 409,
  'folder.slug_taken': 409,
  'server.name_taken': 409,
  'idempotency.key_reused': 409,
  'confirmation.closed': 409,
};

export const httpStatusOf = (error: AppError): number => HTTP_STATUS[error.code] ?? ERROR_TABLE[error.kind].httpStatus;

/** A metric counts a flood of refused calls; a log line for each would flood the log. */
const COUNTED: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['rate_limited', 'auth.flood']);

export const logLevelOf = (error: AppError): LogLevel =>
  COUNTED.has(error.code) ? 'debug' : ERROR_TABLE[error.kind].logLevel;

/** Converts any thrown value into an AppError; the text of a foreign error stays inside the process. */
export const asAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : fail('internal.defect', 'something went wrong inside Cairn', {}, thrown);
