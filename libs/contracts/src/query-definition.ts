import { z } from 'zod';
import type { Wire } from './answer.js';
import { CURSOR_CHARS_MAX, PAGE_LIMIT_MAX } from './limits.js';
import { text } from './text.js';

export interface QueryDefinition<T extends string, S extends z.ZodType, R> {
  readonly type: T;
  readonly schema: S;
  /** The only description of the answer: REST, the tools and the console all use it. */
  readonly answer: z.ZodType<R>;
}

export const defineQuery = <T extends string, S extends z.ZodType, A extends z.ZodType<Wire<A>>>(
  type: T,
  schema: S,
  answer: A,
): QueryDefinition<T, S, Wire<A>> => ({ type, schema, answer });

/** The parameters of every list. */
export const page = { limit: z.int().min(1).max(PAGE_LIMIT_MAX), cursor: text(1, CURSOR_CHARS_MAX).optional() };
