import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { AppProcess } from '@cairn/local-servers';

/** Far longer than a refusal takes on a busy machine; a start that hangs is ended then. */
const HANGS_AFTER_MS = 30_000;

describe('a start that cannot work', () => {
  let dir: string;

  const start = async (env: Record<string, string>): Promise<{ code: unknown; output: string }> => {
    const app = AppProcess.start('standalone', { CAIRN_PORT: '0', CAIRN_HOME: join(dir, 'unused'), ...env });
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

  it('warns about a variable that nothing reads, and continues', async () => {
    const { output } = await start({ CAIRN_PROT: '7480', CAIRN_HOME: join(dir, 'file') });
    expect(output).toContain('nothing reads CAIRN_PROT');
    expect(output).toContain('is a file');
  });
});
