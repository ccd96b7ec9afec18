import type { ServerResponse } from 'node:http';
import { httpStatusOf } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

const RETRY_AFTER_SEC = 1;

/** Tells a temporarily rejected caller when to try again. */
export const setRetryAfter = (res: ServerResponse, error: AppError): void => {
  if (![429, 503].includes(httpStatusOf(error))) return;
  const { retryAfterSec } = error.details;
  res.setHeader('Retry-After', typeof retryAfterSec === 'number' ? retryAfterSec : RETRY_AFTER_SEC);
};
