import { fileVariable } from '@cairn/credentials';
import { z } from 'zod';

const SERVER = /^(nats|tls):\/\/[^\s,]+$/;
const isServerList = (list: string): boolean =>
  list.split(',').every((server) => SERVER.test(server.trim()) && URL.canParse(server.trim()));

export const natsEnv = z.object({
  NATS_URL: z
    .string()
    .refine(isServerList, 'must be one or more URLs such as nats://127.0.0.1:4222, separated by commas'),
  NATS_USER: z.string().optional().describe('User at the broker, with NATS_PASSWORD_FILE'),
  NATS_PASSWORD_FILE: fileVariable().optional().describe('File with the password of NATS_USER'),
  NATS_NKEY_FILE: fileVariable().optional().describe('File with the seed of an nkey, instead of user and password'),
  NATS_CREDS_FILE: fileVariable()
    .optional()
    .describe('Credentials file of a user (JWT and seed), instead of user and password'),
  NATS_CA_FILE: fileVariable()
    .optional()
    .describe("Certificates that the broker's certificate must be signed by, in PEM; requires TLS"),
  NATS_CERT_FILE: fileVariable()
    .optional()
    .describe('Client certificate for the broker, in PEM, with NATS_KEY_FILE; requires TLS'),
  NATS_KEY_FILE: fileVariable().optional().describe('Private key of NATS_CERT_FILE, in PEM'),
});

/** For the processes that create the streams. */
export const streamsEnv = z.object({
  NATS_REPLICAS: z.coerce.number().pipe(z.int().min(1).max(5)).default(1),
});

export type NatsEnv = z.infer<typeof natsEnv>;
