import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppProcess } from '@cairn/local-servers';
import { StandaloneProcess } from '@cairn/testing';
import { connect, errors } from '@nats-io/transport-node';
import { Client } from 'pg';

const NO_EMBEDDER = { EMBEDDING_URL: 'http://127.0.0.1:1/v1', EMBEDDING_MODEL: 'none' };

/**
 * Names and modes of files that other users of the machine may read, write or enter. PGlite sets its own file modes,
 * whatever the umask; those files are protected by the directory, which other users may not enter.
 */
const openToOthers = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true }).flatMap((entry) => {
    const path = join(dir, entry.name);
    const mode = statSync(path).mode & 0o777;
    const own = (mode & 0o077) === 0 ? [] : [`${path} ${mode.toString(8)}`];
    return entry.isDirectory() && entry.name !== 'pgdata' ? [...own, ...openToOthers(path)] : own;
  });

describe('another user of the machine', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-strangers-'));
  let cairn: StandaloneProcess;
  let addresses: { natsUrl: URL; databaseUrl: URL };

  beforeAll(async () => {
    chmodSync(home, 0o755);
    cairn = await StandaloneProcess.start(home, NO_EMBEDDER);
    const { natsUrl, databaseUrl } = cairn.run;
    addresses = { natsUrl: new URL(natsUrl), databaseUrl: new URL(databaseUrl) };
  }, 120_000);
  afterAll(async () => {
    await cairn.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('may not enter the home, although it was open, and nothing in it is open either', () => {
    expect(statSync(home).mode & 0o777).toBe(0o700);
    expect(openToOthers(home)).toEqual([]);
    expect(statSync(join(home, 'run.json')).mode & 0o777).toBe(0o600);
  });

  it.each([
    ['no password', {}],
    ['a wrong password', { user: 'cairn', pass: 'guess' }],
  ])('is rejected by the broker with %s', async (_, login) => {
    const servers = addresses.natsUrl.host;
    await expect(connect({ servers, ...login })).rejects.toBeInstanceOf(errors.AuthorizationError);
  });

  it.each([
    ['no password', ''],
    ['a wrong password', 'guess'],
  ])('is rejected by the database with %s', async (_, password) => {
    const url = new URL(addresses.databaseUrl);
    url.password = password;
    const stranger = new Client({ connectionString: url.href });
    stranger.on('error', () => undefined);
    await expect(stranger.connect()).rejects.toThrow(/password/);
  });

  it('finds new passwords after the next start', async () => {
    await cairn.stop();
    cairn = await StandaloneProcess.start(home, NO_EMBEDDER);
    const { natsUrl, databaseUrl } = cairn.run;
    expect(new URL(natsUrl).password).not.toBe(addresses.natsUrl.password);
    expect(new URL(databaseUrl).password).not.toBe(addresses.databaseUrl.password);
  }, 120_000);

  it('is kept out: a start rejects a home that is open and contains foreign files', async () => {
    const shared = mkdtempSync(join(tmpdir(), 'cairn-shared-'));
    mkdtempSync(join(shared, 'files-of-another-program-'));
    chmodSync(shared, 0o755);
    const refused = AppProcess.start('standalone', { CAIRN_HOME: shared, CAIRN_PORT: '0', ...NO_EMBEDDER });
    expect(await refused.ended()).toBe(1);
    expect(refused.output).toContain(`chmod 700 ${shared}`);
    expect(readdirSync(shared)).toHaveLength(1);
    rmSync(shared, { recursive: true, force: true });
  });
});
