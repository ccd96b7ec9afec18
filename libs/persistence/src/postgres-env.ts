import { z } from 'zod';

export const postgresEnv = z.object({
  DATABASE_URL: z.url({
    protocol: /^postgres(ql)?$/,
    message: 'must be a URL such as postgres://user:secret@host:5432/cairn',
  }),
});

/** The range of pg_textsearch: outside it the index cannot be built, and the start would fail with an error of Postgres. */
const within = (min: number, max: number) => {
  const error = `must be a number from ${min} to ${max}`;
  return z.coerce.number({ error }).min(min, { error }).max(max, { error });
};

/** An index takes them when it is built: Postgres rebuilds at the next start, OpenSearch by a replay of `lexical`. */
export const bm25Env = z.object({
  CAIRN_BM25_K1: within(0.1, 10)
    .default(0.9)
    .describe(
      'BM25: how soon a repeated word stops counting, 0.1 to 10. An existing OpenSearch index takes it after `cairn oplog replay lexical` and `promote`',
    ),
  CAIRN_BM25_B: within(0, 1)
    .default(0.4)
    .describe('BM25: how much a long text is held against it, 0 to 1; takes effect as CAIRN_BM25_K1 does'),
});

export const openSearchEnv = z.object({
  OPENSEARCH_URL: z.url({ protocol: /^https?$/, message: 'must be a URL such as http://127.0.0.1:9200' }).optional(),
});
