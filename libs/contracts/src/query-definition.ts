import { z } from 'zod';
import type { Wire } from './answer.js';
import { CURSOR_CHARS_MAX, PAGE_LIMIT_MAX } from './limits.js';
import { text } from './text.js';

export interface QueryDefinition<T extends string, S extends z.ZodType, R> {
  readonly type: T;
  readonly schema: S;
  /** The one description of what is answered: REST, the tools and the console take it from here. */
  readonly answer: z.ZodType<R>;
}

export const defineQuery = <T extends string, S extends z.ZodType, A extends z.ZodType<Wire<A>>>(
  type: T,
  schema: S,
  answer: A,
): QueryDefinition<T, S, Wire<A>> => ({ type, schema, answer });

/** What every list takes. */
export const page = { limit: z.int().min(1).max(PAGE_LIMIT_MAX), cursor: text(1, CURSOR_CHARS_MAX).optional() };
