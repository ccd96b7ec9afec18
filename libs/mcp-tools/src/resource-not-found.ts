import { notFound } from '@cairn/access';
import { echoed } from '@cairn/contracts';
import type { AppError } from '@cairn/kernel';

/** The same answer for "does not exist" and "not in your scope". */
export const resourceNotFound = (uri: string): AppError => notFound('resource', { uri: echoed(uri) });
