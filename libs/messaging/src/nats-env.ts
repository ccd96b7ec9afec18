import { z } from 'zod';

export const natsEnv = z.object({
  NATS_URL: z.url({ protocol: /^(nats|tls|wss?)$/, message: 'must be a URL such as nats://127.0.0.1:4222' }),
});
