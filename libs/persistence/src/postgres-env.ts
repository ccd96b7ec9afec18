import { fileVariable } from '@cairn/credentials';
import { z } from 'zod';

export const postgresEnv = z.object({
  DATABASE_URL: z.url({
    protocol: /^postgres(ql)?$/,
    message: 'must be a URL such as postgres://user:secret@host:5432/cairn',
  }),
  DATABASE_PASSWORD_FILE: fileVariable().optional().describe('File with the password of the role in DATABASE_URL'),
  DATABASE_CA_FILE: fileVariable()
    .optional()
    .describe('Certificates that the certificate of Postgres must be signed by, in PEM; requires TLS'),
  DATABASE_CERT_FILE: fileVariable()
    .optional()
    .describe('Client certificate for Postgres, in PEM, with DATABASE_KEY_FILE; requires TLS'),
  DATABASE_KEY_FILE: fileVariable().optional().describe('Private key of DATABASE_CERT_FILE, in PEM'),
});

export type PostgresEnv = z.infer<typeof postgresEnv>;

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

const RESIDENT_MB_MAX = 65_536;
const RESIDENT_MB_ERROR = `must be a whole number from 0 to ${RESIDENT_MB_MAX}`;

/** Search keeps vectors in it, and ingest builds an index for what does not fit. */
export const residentEnv = z.object({
  CAIRN_VECTORS_RESIDENT_MB: z.coerce
    .number({ error: RESIDENT_MB_ERROR })
    .int({ error: RESIDENT_MB_ERROR })
    .min(0, { error: RESIDENT_MB_ERROR })
    .max(RESIDENT_MB_MAX, { error: RESIDENT_MB_ERROR })
    .default(512)
    .describe(
      'Memory in which search keeps vectors, in MB: 400 bytes per vector of 384 dimensions. Postgres searches workspaces that do not fit, with an HNSW index of their own; 0 leaves all of them to it. Ingest and search need the same value',
    ),
});

export const openSearchEnv = z.object({
  OPENSEARCH_URL: z.url({ protocol: /^https?$/, message: 'must be a URL such as http://127.0.0.1:9200' }).optional(),
  OPENSEARCH_USER: z.string().optional().describe('User at OpenSearch, with OPENSEARCH_PASSWORD_FILE'),
  OPENSEARCH_PASSWORD_FILE: fileVariable().optional().describe('File with the password of OPENSEARCH_USER'),
  OPENSEARCH_CA_FILE: fileVariable()
    .optional()
    .describe('Certificates that the certificate of OpenSearch must be signed by, in PEM; needs https'),
});

export type OpenSearchEnv = z.infer<typeof openSearchEnv>;
