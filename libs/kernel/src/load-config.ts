import { type z } from 'zod';

/** Thrown once at boot; the message names every bad variable and never shows a value, which may be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Reads the environment once, in `main.ts`. Empty strings count as unset, as shells and compose files write them. */
export const loadConfig = <S extends z.ZodType>(schema: S, env: Record<string, string | undefined>): z.infer<S> => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const lines = parsed.error.issues.map((issue) => `  ${issue.path.join('.') || '(environment)'}: ${issue.message}`);
  throw new ConfigError(`Bad environment:\n${lines.join('\n')}`);
};
