import { randomBytes } from 'node:crypto';
import { z } from 'zod';

export const KEY_BYTES = 32;

export const kekEnv = z.object({
  CAIRN_KEK: z.base64('must be base64').refine((value) => Buffer.from(value, 'base64').length === KEY_BYTES, {
    message: `must be ${KEY_BYTES} bytes in base64`,
  }),
});

export const createKek = (): string => randomBytes(KEY_BYTES).toString('base64');
