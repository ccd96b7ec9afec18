import { httpStatusOf } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';
import { errorBody } from './rest-error.js';

/** The header of a single request is a field of an item. */
const FIELDS: Readonly<Record<string, string>> = { input: '', 'Idempotency-Key': '.idempotencyKey' };

/**
 * The error of one item of a batch: the one that a single request would get, with the place of the item before the name
 * of the field.
 */
export const itemError = (error: AppError, index: number, correlationId: string) => {
  const { field, message, ...body } = errorBody(error, correlationId).error;
  const status = httpStatusOf(error);
  if (typeof field !== 'string') return { status, ...body, message };
  const place = `items[${index}]`;
  return { status, ...body, message: `${place}: ${message}`, field: `${place}${FIELDS[field] ?? `.${field}`}` };
};
