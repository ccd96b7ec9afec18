import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { testCertificate } from '@cairn/testing';
import { assertWelcome, connectOpenSearch, type OpenSearchAccess } from './open-search.js';

const dir = mkdtempSync(join(tmpdir(), 'cairn-opensearch-'));
const fileWith = (name: string, content: string): string => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};
const { cert, key } = testCertificate('localhost', [127, 0, 0, 1]);
const caFile = fileWith('ca.pem', cert);
const login = (password: string) => ({ user: 'cairn', passwordFile: fileWith(password, `${password}\n`) });

/** Answers as OpenSearch with its security plugin does; the users differ in their rights only. */
let server: Server;
let url: string;
const STATUS: Record<string, number> = { 'cairn:secret': 200, 'cairn:limited': 403 };

beforeAll(async () => {
  server = createServer({ cert, key }, (request, response) => {
    const user = Buffer.from((request.headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
    response.writeHead(STATUS[user] ?? 401, { 'content-type': 'application/json' }).end('[]');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(dir, { recursive: true });
});

const welcome = async (access: Partial<OpenSearchAccess>): Promise<string> => {
  const whole = { url, ...access };
  const client = connectOpenSearch(whole);
  try {
    await assertWelcome(client, whole);
    return 'welcome';
  } catch (thrown) {
    return (thrown as Error).message.replace(new URL(url).host, 'HOST');
  } finally {
    await client.close();
  }
};

describe('a connection to OpenSearch', () => {
  it('uses a user, the password in a file, and the given authority', async () => {
    expect(await welcome({ caFile, login: login('secret') })).toBe('welcome');
  });

  it('is refused with a wrong password, and without one', async () => {
    const message = 'OpenSearch at HOST refuses the user; check OPENSEARCH_USER and OPENSEARCH_PASSWORD_FILE';
    expect(await welcome({ caFile, login: login('guess') })).toBe(message);
    expect(await welcome({ caFile })).toBe(message);
  });

  it('is refused for a user without rights to the indexes', async () => {
    expect(await welcome({ caFile, login: login('limited') })).toMatch(
      /^OpenSearch at HOST does not give the user the rights that Cairn needs/,
    );
  });

  it('is refused where the certificate is not signed by the given authority', async () => {
    const other = fileWith('other.pem', testCertificate('localhost', [127, 0, 0, 1]).cert);
    for (const given of [{ caFile: other }, {}])
      expect(await welcome({ ...given, login: login('secret') })).toMatch(
        /^OpenSearch at HOST has a certificate that is not trusted \(.+\); set OPENSEARCH_CA_FILE to /,
      );
  });

  it('may be unavailable at the start', async () => {
    expect(await welcome({ url: 'https://127.0.0.1:1' })).toBe('welcome');
  });
});
