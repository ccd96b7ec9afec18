import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, describe, expect, it } from '@jest/globals';
import { ConfiguredNats, testCertificate } from '@cairn/testing';
import { nkeys } from '@nats-io/nats-core';
import { connectNats, type NatsConnection } from './connection.js';
import { natsAccess } from './nats-access.js';

const dir = mkdtempSync(join(tmpdir(), 'cairn-connection-'));
const fileWith = (name: string, content: string | Uint8Array): string => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};
const certificate = (name: string) => {
  const { cert, key } = testCertificate('localhost', [127, 0, 0, 1]);
  return { certFile: fileWith(`${name}.crt`, cert), keyFile: fileWith(`${name}.key`, key) };
};

let broker: ConfiguredNats;
let nats: NatsConnection | undefined;
afterEach(async () => {
  await nats?.close();
  nats = undefined;
  await broker.stop();
});
afterAll(() => rmSync(dir, { recursive: true }));

const accessOf = (env: Record<string, string>) => natsAccess({ NATS_URL: `nats://${broker.host}`, ...env });
const connects = async (env: Record<string, string>): Promise<void> => {
  nats = await connectNats(accessOf(env), 'test', 0);
  await nats.flush();
};
/** The whole message: the start of a process ends with it. */
const refusalOf = (env: Record<string, string>, patienceMs = 30_000): Promise<string> =>
  connectNats(accessOf(env), 'test', patienceMs).then(
    () => 'connected',
    (thrown: Error) => thrown.message.replace(broker.host, 'HOST'),
  );

type KeyPair = ReturnType<typeof nkeys.createUser>;

/** A token in the form of the broker, signed by an nkey. */
const jwt = (issuer: KeyPair, subject: KeyPair, nats: object): string => {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = { jti: 'test', iat: 1_700_000_000, iss: issuer.getPublicKey(), sub: subject.getPublicKey(), nats };
  const signed = `${part({ typ: 'JWT', alg: 'ed25519-nkey' })}.${part(claims)}`;
  return `${signed}.${Buffer.from(issuer.sign(Buffer.from(signed))).toString('base64url')}`;
};
const UNLIMITED = { subs: -1, data: -1, payload: -1 };
const credsOf = (account: KeyPair): string => {
  const user = nkeys.createUser();
  const token = jwt(account, user, { type: 'user', version: 2, ...UNLIMITED });
  const block = (name: string, content: string) => `-----BEGIN ${name}-----\n${content}\n------END ${name}------\n`;
  return block('NATS USER JWT', token) + block('USER NKEY SEED', Buffer.from(user.getSeed()).toString());
};

const withPassword = (password: string) => `authorization { user: ingest, password: "${password}" }`;

describe('a connection to the broker', () => {
  it('uses a user and the password in a file', async () => {
    broker = await ConfiguredNats.start(withPassword('secret'));
    await connects({ NATS_USER: 'ingest', NATS_PASSWORD_FILE: fileWith('good', 'secret\n') });
  });

  it('finds a server of a list that is running', async () => {
    broker = await ConfiguredNats.start(withPassword('secret'));
    const NATS_URL = `nats://127.0.0.1:1, nats://${broker.host}`;
    await connects({ NATS_URL, NATS_USER: 'ingest', NATS_PASSWORD_FILE: fileWith('good', 'secret') });
  });

  it('uses the seed of an nkey in a file', async () => {
    const pair = nkeys.createUser();
    broker = await ConfiguredNats.start(`authorization { users: [{ nkey: ${pair.getPublicKey()} }] }`);
    await connects({ NATS_NKEY_FILE: fileWith('seed', pair.getSeed()) });
    const stranger = fileWith('stranger', nkeys.createUser().getSeed());
    expect(await refusalOf({ NATS_NKEY_FILE: stranger })).toBe(
      'NATS at nats://HOST refuses the nkey in NATS_NKEY_FILE; check that the broker has this user',
    );
  });

  it('uses the credentials of a user in a file', async () => {
    const [operator, account] = [nkeys.createOperator(), nkeys.createAccount()];
    const limits = { ...UNLIMITED, imports: -1, exports: -1, wildcards: true, conn: -1, leaf: -1 };
    const accountJwt = jwt(operator, account, { type: 'account', version: 2, limits });
    broker = await ConfiguredNats.start(
      `operator: ${jwt(operator, operator, { type: 'operator', version: 2 })}
       resolver: MEMORY
       resolver_preload: { ${account.getPublicKey()}: ${accountJwt} }`,
    );
    await connects({ NATS_CREDS_FILE: fileWith('user.creds', credsOf(account)) });
    const stranger = fileWith('stranger.creds', credsOf(nkeys.createAccount()));
    expect(await refusalOf({ NATS_CREDS_FILE: stranger })).toBe(
      'NATS at nats://HOST refuses the credentials in NATS_CREDS_FILE; check that the broker has this user',
    );
  });

  it('is refused at once with a wrong password, and the message names the user and the variable', async () => {
    broker = await ConfiguredNats.start(withPassword('secret'));
    expect(await refusalOf({ NATS_USER: 'ingest', NATS_PASSWORD_FILE: fileWith('bad', 'guess') })).toBe(
      'NATS at nats://HOST refuses user ingest with the password in NATS_PASSWORD_FILE; check that the broker has this user',
    );
  });

  it('survives the rotation of its password: the file first, then the broker', async () => {
    broker = await ConfiguredNats.start(withPassword('old'));
    await connects({ NATS_USER: 'ingest', NATS_PASSWORD_FILE: fileWith('rotated', 'old') });
    const back = (async () => {
      for await (const { type } of nats!.status()) if (type === 'reconnect') return;
    })();
    fileWith('rotated', 'new');
    await broker.reload(withPassword('new'));
    await back;
    await nats!.flush();
    expect(nats!.isClosed()).toBe(false);
  });

  it('checks the certificate of the broker against the given authority', async () => {
    const { certFile, keyFile } = certificate('server');
    broker = await ConfiguredNats.start(`tls { cert_file: "${certFile}", key_file: "${keyFile}" }`);
    await connects({ NATS_CA_FILE: certFile });
    const { certFile: other } = certificate('other');
    expect(await refusalOf({ NATS_CA_FILE: other })).toMatch(
      /^NATS at nats:\/\/HOST has a certificate that NATS_CA_FILE did not sign \(\w+\); set NATS_CA_FILE to the certificate of its authority$/,
    );
    expect(await refusalOf({})).toMatch(/^NATS at nats:\/\/HOST has a certificate that Node does not trust /);
  });

  it('shows its own certificate to a broker that asks for one', async () => {
    const { certFile, keyFile } = certificate('server');
    const client = certificate('client');
    broker = await ConfiguredNats.start(
      `tls { cert_file: "${certFile}", key_file: "${keyFile}", ca_file: "${client.certFile}", verify: true }`,
    );
    await connects({ NATS_CA_FILE: certFile, NATS_CERT_FILE: client.certFile, NATS_KEY_FILE: client.keyFile });
  });

  it.each([{ NATS_CA_FILE: () => certificate('unused').certFile }, { NATS_URL: () => `tls://${broker.host}` }])(
    'sends nothing to a broker without TLS where TLS is configured (%#)',
    async (settings) => {
      broker = await ConfiguredNats.start(withPassword('secret'));
      const tls = Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, value()]));
      const login = { NATS_USER: 'ingest', NATS_PASSWORD_FILE: fileWith('good', 'secret') };
      expect(await refusalOf({ ...login, ...tls })).toMatch(/:\/\/HOST does not offer TLS; switch it on there, or /);
    },
  );

  it('reports a broker that does not answer, after a while', async () => {
    broker = await ConfiguredNats.start(withPassword('secret'));
    expect(await refusalOf({ NATS_URL: 'nats://127.0.0.1:1' }, 0)).toBe(
      'NATS at nats://127.0.0.1:1 is out of reach (NATS_URL)',
    );
  });
});
