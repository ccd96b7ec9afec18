import { AppError, type ErrorDetails, type ErrorKind } from '@cairn/kernel';

/** Every code the product answers with, and its kind. The kind decides HTTP status, settlement and log level. */
export const ERROR_KINDS = {
  'input.invalid': 'invalid',
  'input.too_large': 'invalid',
  'input.malformed': 'invalid',
  'input.timeout': 'invalid',
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
  'item.kb_only': 'rule',
  'engram.close_matches': 'rule',
  'engram.not_found': 'missing',
  'engram.sensitive': 'rule',
  'confirmation.not_found': 'missing',
  'confirmation.closed': 'rule',
  'confirmation.too_many': 'rule',
  'chunk.not_found': 'missing',
  'receipt.not_found': 'missing',
  'forget.sensitive': 'rule',
  'correction.not_found': 'missing',
  'correction.expired': 'rule',
  'correction.stale': 'rule',
  'correction.no_rule': 'rule',
  'correction.unusable': 'rule',
  'correction.too_long': 'rule',
  'correction.unavailable': 'unavailable',
  'token.not_found': 'missing',
  'op.not_found': 'missing',
  'file.unsupported': 'invalid',
  'file.unreadable': 'rule',
  'resource.not_found': 'missing',
  'route.not_found': 'missing',
  'route.method_not_allowed': 'invalid',
  'route.unsupported_media': 'invalid',
  'tool.unknown': 'invalid',
  'knowledge.expires_in_past': 'invalid',
  'knowledge.not_owner': 'rule',
  'knowledge.cycle': 'rule',
  'knowledge.chain_too_long': 'rule',
  'quota.exceeded': 'rule',
  'idempotency.key_reused': 'rule',
  'url.refused': 'invalid',
  'url.unsupported': 'invalid',
  'url.too_large': 'invalid',
  'url.no_page': 'rule',
  'url.unreachable': 'unavailable',
  'oplog.conflict': 'conflict',
  'oplog.unavailable': 'unavailable',
  'oplog.unsuitable_server': 'unavailable',
  'projection.unavailable': 'unavailable',
  'lexical.unavailable': 'unavailable',
  'embedder.unavailable': 'unavailable',
  'embedder.busy': 'unavailable',
  'embedder.model_missing': 'unavailable',
  'embedder.refused': 'rule',
  'artifact.unavailable': 'unavailable',
  'key.unavailable': 'unavailable',
  'service.unavailable': 'unavailable',
  busy: 'unavailable',
  rate_limited: 'unavailable',
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

type LogLevel = (typeof ERROR_TABLE)[ErrorKind]['logLevel'];

/** Codes whose HTTP status is more telling than that of their kind. */
const HTTP_STATUS: Partial<Record<string, number>> = {
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
  'idempotency.key_reused': 409,
  'confirmation.closed': 409,
};

export const httpStatusOf = (error: AppError): number => HTTP_STATUS[error.code] ?? ERROR_TABLE[error.kind].httpStatus;

/** A flood of refused calls is counted by a metric; a line for each would be a flood in the log. */
const COUNTED: ReadonlySet<string> = new Set<ErrorCode>(['rate_limited', 'auth.flood']);

export const logLevelOf = (error: AppError): LogLevel =>
  COUNTED.has(error.code) ? 'debug' : ERROR_TABLE[error.kind].logLevel;

/** Whatever was thrown, as an AppError; the text of a stranger's error stays inside the process. */
export const asAppError = (thrown: unknown): AppError =>
  thrown instanceof AppError ? thrown : fail('internal.defect', 'something went wrong inside Cairn', {}, thrown);
