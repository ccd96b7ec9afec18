import { z } from 'zod';

/** Each service of the cluster profile has its own default, so that all of them fit on one machine. */
export const opsEnv = (defaultPort: number) =>
  z.object({
    CAIRN_OPS_HOST: z.string().default('127.0.0.1'),
    CAIRN_OPS_PORT: z.coerce
      .number({ error: 'must be a port number; 0 picks a free one' })
      .pipe(z.int().min(0).max(65_535))
      .default(defaultPort),
  });
