import { AppError, type ErrorDetails, type ErrorKind } from '@cairn/kernel';

/** Every code the product answers with, and its kind. The kind decides HTTP status, settlement and log level. */
export const ERROR_KINDS = {
  'input.invalid': 'invalid',
  'input.too_large': 'invalid',
  'input.malformed': 'invalid',
  'auth.missing': 'denied',
  'auth.invalid': 'denied',
  'auth.flood': 'denied',
  'scope.missing': 'denied',
  'host.refused': 'denied',
  'origin.refused': 'denied',
  'workspace.slug_taken': 'rule',
  'folder.slug_taken': 'rule',
  'folder.not_found': 'missing',
  'folder.required': 'rule',
  'item.not_found': 'missing',
  'token.not_found': 'missing',
  'op.not_found': 'missing',
  'resource.not_found': 'missing',
  'route.not_found': 'missing',
  'route.method_not_allowed': 'invalid',
  'route.unsupported_media': 'invalid',
  'tool.unknown': 'invalid',
  'knowledge.expires_in_past': 'invalid',
  'knowledge.not_owner': 'rule',
  'knowledge.cycle': 'rule',
  'idempotency.key_reused': 'rule',
  'oplog.conflict': 'conflict',
  'oplog.unavailable': 'unavailable',
  'oplog.unsuitable_server': 'unavailable',
  'projection.unavailable': 'unavailable',
  'lexical.unavailable': 'unavailable',
  'embedder.unavailable': 'unavailable',
  'embedder.busy': 'unavailable',
  'embedder.model_missing': 'unavailable',
  'artifact.unavailable': 'unavailable',
  'key.unavailable': 'unavailable',
  'service.unavailable': 'unavailable',
  busy: 'unavailable',
  'service.timeout': 'unavailable',
  'internal.defect': 'defect',
  'contract.unknown_event': 'defect',
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof ERROR_KINDS;

export const fail = (code: ErrorCode, message: string, details: ErrorDetails = {}, cause?: unknown): AppError =>
  new AppError(code, ERROR_KINDS[code], message, details, cause);

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

/** Codes whose HTTP status is more telling than that of their kind. */
const HTTP_STATUS: Partial<Record<string, number>> = {
  'auth.missing': 401,
  'auth.invalid': 401,
  'auth.flood': 429,
  'input.too_large': 413,
  'route.method_not_allowed': 405,
  'route.unsupported_media': 415,
  busy: 429,
  'workspace.slug_taken': 409,
  'folder.slug_taken': 409,
  'idempotency.key_reused': 409,
};

export const httpStatusOf = (error: AppError): number => HTTP_STATUS[error.code] ?? ERROR_TABLE[error.kind].httpStatus;

/** Whatever was thrown, as an AppError; the text of a stranger's error stays inside the process. */
export const asAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : fail('internal.defect', 'something went wrong inside Cairn', {}, thrown);
