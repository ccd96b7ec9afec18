import { requireTogether } from './environment-problem.js';
import { readSecret } from './secret-file.js';

/** Certificates in PEM. Without `caFile`, those that Node trusts. */
export interface TlsFiles {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface TlsOptions {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

type TlsEnv = Readonly<Record<string, unknown>>;

/** From `<prefix>_CA_FILE`, `<prefix>_CERT_FILE` and `<prefix>_KEY_FILE`; undefined if none of them is set. */
export const tlsFiles = (prefix: string, env: TlsEnv): TlsFiles | undefined => {
  const [ca, cert, key] = ['CA', 'CERT', 'KEY'].map((part) => `${prefix}_${part}_FILE`);
  requireTogether(env, cert!, key!);
  const [caFile, certFile, keyFile] = [ca, cert, key].map((name) => env[name!] as string | undefined);
  return caFile === undefined && certFile === undefined ? undefined : { caFile, certFile, keyFile };
};

/** Read at every call, so that a new connection uses a renewed certificate. */
export const tlsOptions = ({ caFile, certFile, keyFile }: TlsFiles): TlsOptions => ({
  ...(caFile !== undefined && { ca: readSecret(caFile) }),
  ...(certFile !== undefined && { cert: readSecret(certFile) }),
  ...(keyFile !== undefined && { key: readSecret(keyFile) }),
});
