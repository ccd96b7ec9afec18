import type { z } from 'zod';

export interface CommandDefinition<T extends string, S extends z.ZodType, R extends z.ZodType> {
  readonly type: T;
  readonly schema: S;
  readonly result: R;
}

export const defineCommand = <T extends string, S extends z.ZodType, R extends z.ZodType>(
  type: T,
  schema: S,
  result: R,
): CommandDefinition<T, S, R> => ({ type, schema, result });
