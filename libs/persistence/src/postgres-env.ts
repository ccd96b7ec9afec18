import { z } from 'zod';

export const postgresEnv = z.object({
  DATABASE_URL: z.url({
    protocol: /^postgres(ql)?$/,
    message: 'must be a URL such as postgres://user:secret@host:5432/cairn',
  }),
});

export const openSearchEnv = z.object({
  OPENSEARCH_URL: z.url({ protocol: /^https?$/, message: 'must be a URL such as http://127.0.0.1:9200' }).optional(),
});
