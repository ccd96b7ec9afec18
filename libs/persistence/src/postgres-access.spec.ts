import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@cairn/kernel';
import { openSearchAccess } from './open-search.js';
import { postgresAccess } from './postgres-access.js';
import { openSearchEnv, postgresEnv } from './postgres-env.js';

const dir = mkdtempSync(join(tmpdir(), 'cairn-access-'));
afterAll(() => rmSync(dir, { recursive: true }));
const file = join(dir, 'secret');
writeFileSync(file, 'secret\n');

describe('Postgres in the environment', () => {
  const accessOf = (env: Record<string, string>) =>
    postgresAccess(loadConfig(postgresEnv, { DATABASE_URL: 'postgres://cairn_ingest@db/cairn', ...env }));

  it('takes the password and the certificates from files', () => {
    expect(accessOf({ DATABASE_PASSWORD_FILE: file, DATABASE_CA_FILE: file })).toEqual({
      url: 'postgres://cairn_ingest@db/cairn',
      passwordFile: file,
      tls: { caFile: file },
    });
  });

  it.each([
    ['DATABASE_PASSWORD_FILE: /none cannot be read: no such file', { DATABASE_PASSWORD_FILE: '/none' }],
    [
      'DATABASE_PASSWORD_FILE: there is a password in DATABASE_URL too; remove it there',
      { DATABASE_URL: 'postgres://u:p@db/cairn', DATABASE_PASSWORD_FILE: file },
    ],
    ['DATABASE_KEY_FILE: needs DATABASE_CERT_FILE; set both, or neither', { DATABASE_KEY_FILE: file }],
    [
      'DATABASE_URL: has TLS parameters, and DATABASE_CA_FILE or DATABASE_CERT_FILE is set too',
      { DATABASE_URL: 'postgres://u@db/cairn?sslmode=disable', DATABASE_CA_FILE: file },
    ],
  ])('is rejected: %s', (message, env) => {
    expect(() => accessOf(env as Record<string, string>)).toThrow(`Bad environment:\n  ${message}`);
  });
});

describe('OpenSearch in the environment', () => {
  const accessOf = (env: Record<string, string>) => openSearchAccess(loadConfig(openSearchEnv, env));

  it('is optional, and takes password and certificates from files', () => {
    expect(accessOf({})).toBeUndefined();
    const OPENSEARCH_URL = 'https://search:9200';
    const login = { OPENSEARCH_USER: 'cairn', OPENSEARCH_PASSWORD_FILE: file };
    expect(accessOf({ OPENSEARCH_URL, ...login, OPENSEARCH_CA_FILE: file })).toEqual({
      url: OPENSEARCH_URL,
      login: { user: 'cairn', passwordFile: file },
      caFile: file,
    });
  });

  it.each([
    ['OPENSEARCH_USER: needs OPENSEARCH_PASSWORD_FILE', { OPENSEARCH_USER: 'cairn' }],
    ['OPENSEARCH_CA_FILE: is for OPENSEARCH_URL; set that too', { OPENSEARCH_CA_FILE: file }],
    [
      'OPENSEARCH_CA_FILE: needs https in OPENSEARCH_URL',
      { OPENSEARCH_URL: 'http://search:9200', OPENSEARCH_CA_FILE: file },
    ],
    [
      'OPENSEARCH_USER: there is a user in OPENSEARCH_URL too; remove it there',
      { OPENSEARCH_URL: 'https://u:p@search', OPENSEARCH_USER: 'cairn', OPENSEARCH_PASSWORD_FILE: file },
    ],
  ])('is rejected: %s', (message, env) => {
    expect(() => accessOf(env as Record<string, string>)).toThrow(`Bad environment:\n  ${message}`);
  });
});
