import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from '@jest/globals';
import { loadConfig } from '@cairn/kernel';
import { natsAccess } from './nats-access.js';
import { natsEnv } from './nats-env.js';

const dir = mkdtempSync(join(tmpdir(), 'cairn-nats-access-'));
afterAll(() => rmSync(dir, { recursive: true }));

const fileWith = (name: string, content: string): string => {
  const path = join(dir, name);
  writeFileSync(path, content);
  return path;
};
const accessOf = (env: Record<string, string>) =>
  natsAccess(loadConfig(natsEnv, { NATS_URL: 'nats://a:4222', ...env }));
const password = fileWith('password', 'secret\n');
const seed = fileWith('seed', `SU${'A'.repeat(56)}\n`);
const creds = fileWith('creds', '-----BEGIN NATS USER JWT-----\nx\n-----BEGIN USER NKEY SEED-----\ny\n');

describe('the broker in the environment', () => {
  it('is one URL, or a list of them, with or without a user', () => {
    for (const url of ['nats://a:4222', 'tls://a', 'nats://a:4222, nats://b:4222', 'nats://user:secret@a:4222'])
      expect(accessOf({ NATS_URL: url })).toEqual({ url });
  });

  it.each(['', 'a:4222', 'http://a', 'ws://a', 'nats://a,', 'nats://'])('is not %p', (NATS_URL) => {
    expect(() => accessOf({ NATS_URL })).toThrow(/^Bad environment:\n {2}NATS_URL: /);
  });

  it('takes one kind of credentials, from files', () => {
    expect(accessOf({ NATS_USER: 'ingest', NATS_PASSWORD_FILE: password }).login).toEqual({
      kind: 'password',
      user: 'ingest',
      passwordFile: password,
    });
    expect(accessOf({ NATS_NKEY_FILE: seed }).login).toEqual({ kind: 'nkey', seedFile: seed });
    expect(accessOf({ NATS_CREDS_FILE: creds }).login).toEqual({ kind: 'creds', credsFile: creds });
    expect(accessOf({ NATS_CA_FILE: seed }).tls).toEqual({ caFile: seed });
  });

  it.each([
    [
      'a missing file',
      { NATS_CREDS_FILE: '/none' },
      'NATS_CREDS_FILE: /none cannot be read: no such file or directory',
    ],
    ['a user without a password', { NATS_USER: 'ingest' }, 'NATS_USER: needs NATS_PASSWORD_FILE; set both, or neither'],
    ['a password without a user', { NATS_PASSWORD_FILE: password }, 'NATS_PASSWORD_FILE: needs NATS_USER'],
    ['a certificate without its key', { NATS_CERT_FILE: seed }, 'NATS_CERT_FILE: needs NATS_KEY_FILE'],
    [
      'two kinds of credentials',
      { NATS_NKEY_FILE: seed, NATS_CREDS_FILE: creds },
      'NATS_NKEY_FILE: one process has one kind of NATS credentials, and NATS_NKEY_FILE and NATS_CREDS_FILE are set; unset all but one',
    ],
    [
      'a user in the URL and a credentials file',
      { NATS_URL: 'nats://u:p@a', NATS_CREDS_FILE: creds },
      'NATS_CREDS_FILE: one process has one kind of NATS credentials, and a user in NATS_URL and NATS_CREDS_FILE are set',
    ],
    [
      'a file without a seed',
      { NATS_NKEY_FILE: password },
      `NATS_NKEY_FILE: ${password} does not hold the seed of a user`,
    ],
    ['a file without credentials', { NATS_CREDS_FILE: seed }, `NATS_CREDS_FILE: ${seed} is not a credentials file`],
  ])('rejects %s, and names the variable', (_, env, message) => {
    expect(() => accessOf(env as Record<string, string>)).toThrow(`Bad environment:\n  ${message}`);
  });

  it('is never shown with a secret in the message', () => {
    expect(() => accessOf({ NATS_URL: 'nats://u:hunter2@a', NATS_CREDS_FILE: creds })).not.toThrow(/hunter2/);
  });
});
