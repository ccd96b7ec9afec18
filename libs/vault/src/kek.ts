import { randomBytes } from 'node:crypto';
import { z } from 'zod';

export const KEY_BYTES = 32;

const WORDS = `must be ${KEY_BYTES} bytes in base64`;
export const Kek = z.base64(WORDS).refine((value) => Buffer.from(value, 'base64').length === KEY_BYTES, WORDS);

export const kekEnv = z.object({
  CAIRN_KEK: Kek,
  CAIRN_KEK_PREVIOUS: z
    .string()
    .optional()
    .transform((list) => (list ? list.split(',').map((kek) => kek.trim()) : []))
    .pipe(z.array(Kek)),
});

/** The key-encryption keys that a process is given. */
export interface KekConfig {
  /** Wraps and opens. */
  readonly kek: string;
  /** Only open. */
  readonly previousKeks?: readonly string[] | undefined;
}

export const kekConfig = (env: z.infer<typeof kekEnv>): KekConfig => ({
  kek: env.CAIRN_KEK,
  previousKeks: env.CAIRN_KEK_PREVIOUS,
});

export const createKek = (): string => randomBytes(KEY_BYTES).toString('base64');
