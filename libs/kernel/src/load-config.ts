import { type z } from 'zod';

/** Thrown once at boot; the message names every bad variable and never shows a value, which may be a secret. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
}

/** Lists each bad variable once, by name, even if several parts of it are wrong. */
const badVariables = (error: z.ZodError): string[] => {
  const wrong = new Map<string, Set<string>>();
  for (const { path, message } of error.issues) {
    const name = String(path[0] ?? '(environment)');
    wrong.set(name, (wrong.get(name) ?? new Set()).add(message));
  }
  return [...wrong].map(([name, messages]) => `  ${name}: ${[...messages].join('; ')}`);
};

/**
 * Reads the environment once, in `main.ts`. Empty strings count as unset, because shells and compose files write them
 * so.
 */
export const loadConfig = <S extends z.ZodType>(schema: S, env: Record<string, string | undefined>): z.infer<S> => {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  throw new ConfigError(`Bad environment:\n${badVariables(parsed.error).join('\n')}`);
};
