import { badEnvironment, readSecret, tlsFiles, type TlsFiles } from '@cairn/credentials';
import { parse } from 'pg-connection-string';
import type { PostgresEnv } from './postgres-env.js';

/** The database, and the role that connects to it. Secrets stay in their files, which every connection reads again. */
export interface PostgresAccess {
  /** May contain the password and the parameters of libpq. */
  readonly url: string;
  readonly passwordFile?: string | undefined;
  readonly tls?: TlsFiles | undefined;
}

type PostgresSettings = Partial<PostgresEnv> & Pick<PostgresEnv, 'DATABASE_URL'>;

/** From the environment of a process. Throws if the variables contradict each other. */
export const postgresAccess = (env: PostgresSettings): PostgresAccess => {
  const { DATABASE_URL: url, DATABASE_PASSWORD_FILE: passwordFile } = env;
  if (passwordFile !== undefined && new URL(url).password !== '')
    throw badEnvironment({
      variable: 'DATABASE_PASSWORD_FILE',
      problem: 'there is a password in DATABASE_URL too; remove it there',
    });
  const tls = tlsFiles('DATABASE', env);
  if (tls && /[?&](ssl\w*)=/.test(url))
    throw badEnvironment({
      variable: 'DATABASE_URL',
      problem: 'has TLS parameters, and DATABASE_CA_FILE or DATABASE_CERT_FILE is set too; remove the parameters',
    });
  return { url, passwordFile, tls };
};

/** Getters, because the driver copies the object for every connection: a new one uses a renewed certificate. */
const sslOf = ({ caFile, certFile, keyFile }: TlsFiles): object =>
  Object.defineProperties(
    { rejectUnauthorized: true },
    Object.fromEntries(
      [
        ['ca', caFile],
        ['cert', certFile],
        ['key', keyFile],
      ].flatMap(([name, file]) =>
        file === undefined ? [] : [[name, { get: () => readSecret(file), enumerable: true, configurable: true }]],
      ) as [string, PropertyDescriptor][],
    ),
  );

/** Options of the driver in addition to the URL. A URL would override a password and certificates that are given beside it. */
export const clientOptions = ({ url, passwordFile, tls }: PostgresAccess): object => {
  if (passwordFile === undefined && tls === undefined) return {};
  const { password, ssl, ...address } = parse(url);
  return {
    ...address,
    connectionString: undefined,
    password: passwordFile === undefined ? password : () => readSecret(passwordFile),
    ssl: tls === undefined ? ssl : sslOf(tls),
  };
};
