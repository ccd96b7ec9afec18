import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppProcess } from '@cairn/local-servers';
import { ConfiguredNats } from '@cairn/testing';

/** Far longer than a refusal takes on a busy machine; a start that hangs is ended then. */
const HANGS_AFTER_MS = 30_000;

describe('a start that cannot work', () => {
  let dir: string;

  const start = async (
    env: Record<string, string>,
    name = 'standalone',
  ): Promise<{ code: unknown; output: string }> => {
    const app = AppProcess.start(name, { CAIRN_PORT: '0', CAIRN_HOME: join(dir, 'unused'), ...env });
    const ending = new AbortController();
    const code = await Promise.race([
      app.ended(),
      delay(HANGS_AFTER_MS, 'hangs', { signal: ending.signal }).catch(() => 'ended'),
    ]);
    ending.abort();
    if (!app.hasEnded) await app.end('SIGKILL');
    return { code, output: app.output };
  };

  beforeAll(() => {
    dir = mkdtempSync(join(tmpdir(), 'cairn-refused-'));
    writeFileSync(join(dir, 'file'), '');
    mkdirSync(join(dir, 'damaged'));
    writeFileSync(join(dir, 'damaged', 'kek'), 'c2hvcnQ=\n');
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  it.each([
    ['is a file', 'file', 'is a file'],
    ['lies below a file', 'file/home', 'not a directory (ENOTDIR)'],
    ['holds a damaged key', 'damaged', 'kek must be 32 bytes in base64'],
  ])('reports it when the home %s', async (_, path, reason) => {
    const home = join(dir, path);
    const { code, output } = await start({ CAIRN_HOME: home });
    expect(code).toBe(1);
    expect(output).toContain(home);
    expect(output).toContain(reason);
    expect(output).not.toMatch(/^\s+at /m);
  });

  // Places where no user can write, not even root. /proc answers ENOENT, which a recursive mkdir may repeatedly take
  // for a missing parent.
  it.each([
    ['/proc/nope', 'cannot be created'],
    ['/proc', 'cannot be written to'],
    ['/sys/nope', 'cannot be created'],
    ['/sys/kernel', 'cannot be written to'],
  ])('names variable, path and reason when the home is %s', async (home, what) => {
    if (!existsSync('/proc/self') || !existsSync('/sys/kernel')) return;
    const { code, output } = await start({ CAIRN_HOME: home });
    expect(code).toBe(1);
    expect(output).toMatch(new RegExp(`^CAIRN_HOME cannot be used: ${home} ${what}: [a-z ]+ \\(E[A-Z]+\\)$`, 'm'));
  });

  it.each([
    [{ NATS_USER: 'cairn' }, 'NATS_USER: is for NATS_URL; set that too'],
    [{ DATABASE_PASSWORD_FILE: import.meta.filename }, 'DATABASE_PASSWORD_FILE: is for DATABASE_URL; set that too'],
    [
      { NATS_URL: 'nats://a', NATS_CREDS_FILE: '/none' },
      'NATS_CREDS_FILE: /none cannot be read: no such file or directory',
    ],
    [{ NATS_URL: 'nats://u:p@a', NATS_NKEY_FILE: import.meta.filename }, 'NATS_NKEY_FILE: one process has one kind of'],
  ])('names the variable of a bad credential, and creates nothing: %j', async (env, message) => {
    const { code, output } = await start(env);
    expect(code).toBe(1);
    expect(output).toContain(`Bad environment:\n  ${message}`);
    expect(existsSync(join(dir, 'unused'))).toBe(false);
  });

  it.each(['ingest', 'gateway', 'search', 'embedder'])(
    'ends %s with one sentence when the broker refuses its password',
    async (name) => {
      const broker = await ConfiguredNats.start(`authorization { user: ${name}, password: "right" }`);
      const password = join(dir, 'password');
      writeFileSync(password, 'wrong\n');
      const { code, output } = await start(
        {
          NATS_URL: `nats://${broker.host}`,
          NATS_USER: name,
          NATS_PASSWORD_FILE: password,
          DATABASE_URL: 'postgres://127.0.0.1:1/none',
          CAIRN_KEK: Buffer.alloc(32).toString('base64'),
          CAIRN_OPS_PORT: '0',
          LOG_LEVEL: 'silent',
        },
        name,
      );
      await broker.stop();
      expect(code).toBe(1);
      expect(output).toBe(
        `NATS at nats://${broker.host} refuses user ${name} with the password in NATS_PASSWORD_FILE; check that the broker has this user\n`,
      );
    },
  );

  it('warns about a variable that nothing reads, and continues', async () => {
    const { output } = await start({ CAIRN_PROT: '7480', CAIRN_HOME: join(dir, 'file') });
    expect(output).toContain('nothing reads CAIRN_PROT');
    expect(output).toContain('is a file');
  });
});
