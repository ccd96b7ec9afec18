import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from '@jest/globals';
import { consoleSuite, live } from './console.js';
import { newToken, underTest } from './under-test.js';

const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const suite = consoleSuite();

describe('cairn link', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-link-command-'));
  afterAll(() => rmSync(home, { recursive: true }));

  const link = (given: Record<string, string>, ...args: string[]) => {
    const { CAIRN_URL: _, CAIRN_TOKEN: __, ...inherited } = process.env;
    const env = { ...inherited, CAIRN_HOME: home, ...given };
    return new Promise<{ code: number; out: string; err: string }>((resolve) => {
      const child = execFile(process.execPath, [CAIRN, 'link', ...args], { env }, (_error, out, err) =>
        resolve({ code: child.exitCode!, out, err }),
      );
    });
  };

  it('prints a link to another Cairn that signs in once, and never shows the token', async () => {
    const { page, token } = suite;
    const { code, out, err } = await link({ CAIRN_URL: underTest.url, CAIRN_TOKEN: token });
    expect([code, err]).toEqual([0, '']);
    const [address, advice] = out.trim().split('\n');
    expect(address).toMatch(/^http:\/\/\S+\/#code=[0-9a-f]{32}$/);
    expect(advice).toMatch(/Works once, until \d{4}-/);
    expect(out).not.toContain(token);
    await page.goto(address!);
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    await live(page);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.goto(address!);
    await page.getByText('has been used or has expired').waitFor();
  });

  it('takes address and token from the home of the running Cairn', async () => {
    writeFileSync(join(home, 'run.json'), JSON.stringify({ url: underTest.url }));
    writeFileSync(join(home, 'admin-token'), `${suite.token}\n`);
    const { code, out } = await link({}, '--json');
    expect(code).toBe(0);
    await suite.page.goto(JSON.parse(out).link);
    await suite.page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
  });

  it('rejects a token without the admin scope, and names the scope', async () => {
    const token = await newToken(suite.token, { scopes: ['read', 'write'] });
    const { code, out, err } = await link({ CAIRN_URL: underTest.url, CAIRN_TOKEN: token });
    expect([code, out]).toEqual([1, '']);
    expect(err).toContain('scope admin');
  });
});
