import { fail } from '@cairn/contracts';
import { badEnvironment, readSecret, requireTogether } from '@cairn/credentials';
import { Client } from '@opensearch-project/opensearch';
import type { OpenSearchEnv } from './postgres-env.js';

export type OpenSearchClient = Client;

/** The server, and the user that connects to it. */
export interface OpenSearchAccess {
  readonly url: string;
  readonly login?: { readonly user: string; readonly passwordFile: string } | undefined;
  readonly caFile?: string | undefined;
}

/** From the environment of a process; undefined if there is no OpenSearch. Throws if the variables contradict each other. */
export const openSearchAccess = (env: OpenSearchEnv): OpenSearchAccess | undefined => {
  const { OPENSEARCH_URL: url, OPENSEARCH_USER: user, OPENSEARCH_PASSWORD_FILE: passwordFile } = env;
  const { OPENSEARCH_CA_FILE: caFile } = env;
  requireTogether(env, 'OPENSEARCH_USER', 'OPENSEARCH_PASSWORD_FILE');
  if (url === undefined) {
    const lost = (['OPENSEARCH_USER', 'OPENSEARCH_CA_FILE'] as const).filter((name) => env[name] !== undefined);
    if (lost.length === 0) return undefined;
    throw badEnvironment(...lost.map((variable) => ({ variable, problem: 'is for OPENSEARCH_URL; set that too' })));
  }
  if (caFile !== undefined && !url.startsWith('https:'))
    throw badEnvironment({ variable: 'OPENSEARCH_CA_FILE', problem: 'needs https in OPENSEARCH_URL' });
  if (user !== undefined && new URL(url).username !== '')
    throw badEnvironment({
      variable: 'OPENSEARCH_USER',
      problem: 'there is a user in OPENSEARCH_URL too; remove it there',
    });
  return { url, caFile, login: user === undefined ? undefined : { user, passwordFile: passwordFile! } };
};

export const connectOpenSearch = ({ url, login, caFile }: OpenSearchAccess): OpenSearchClient =>
  new Client({
    node: url,
    requestTimeout: 10_000,
    maxRetries: 2,
    ...(login && { auth: { username: login.user, password: readSecret(login.passwordFile) } }),
    ...(caFile !== undefined && { ssl: { ca: readSecret(caFile), rejectUnauthorized: true } }),
  });

const UNTRUSTED = /certificate|self.signed|altnames/i;

/** The end of the sentence "OpenSearch at <host> …"; undefined if it is only unavailable, which may pass. */
const refusal = (thrown: unknown): string | undefined => {
  const { statusCode, message = '' } = thrown as { readonly statusCode?: number; readonly message?: string };
  if (statusCode === 401) return 'refuses the user; check OPENSEARCH_USER and OPENSEARCH_PASSWORD_FILE';
  if (statusCode === 403)
    return 'does not give the user the rights that Cairn needs: to read and write the chunks indexes';
  return UNTRUSTED.test(message)
    ? `has a certificate that is not trusted (${message}); set OPENSEARCH_CA_FILE to the certificate of its authority`
    : undefined;
};

/** Ends the start if OpenSearch answers and refuses. One that does not answer may come back: keyword search waits for it. */
export const assertWelcome = async (client: OpenSearchClient, { url }: OpenSearchAccess): Promise<void> => {
  // Reading is a right that both services need; without an index yet, nothing is found.
  await client.count({ index: 'chunks*' }).catch((thrown: unknown) => {
    const reason = refusal(thrown);
    if (reason !== undefined) throw fail('lexical.refused', `OpenSearch at ${new URL(url).host} ${reason}`, {}, thrown);
  });
};
