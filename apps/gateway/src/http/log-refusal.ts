import { logLevelOf } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import type { Logger } from '@cairn/observability';

/** The level follows from the kind of the error; only an error that a person must look at is logged with its cause. */
export const logRefusal = (logger: Logger, error: AppError, correlationId: string): void => {
  const logLevel = logLevelOf(error);
  const cause = logLevel === 'error' ? { err: error.cause ?? error } : {};
  logger[logLevel]({ correlationId, code: error.code, ...cause }, 'request refused');
};
