import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { StandaloneProcess } from '@cairn/testing';
import type { Browser } from 'playwright-core';
import { launchBrowser } from './browser.js';
import { openConsole, signIn } from './console.js';

const run = promisify(execFile);
const CAIRN = fileURLToPath(new URL('../../apps/cli/bin/cairn.mjs', import.meta.url));
const LINK = /http:\/\/\S+\/#code=([0-9a-f]{32})\b/g;

describe('the sign-in link of a standalone', () => {
  const home = mkdtempSync(join(tmpdir(), 'cairn-link-'));
  let cairn: StandaloneProcess;
  let browser: Browser;
  let link: string;
  let code: string;

  const start = () => StandaloneProcess.start(home, { CAIRN_MODEL_DIR: join(home, 'no-model'), LOG_LEVEL: 'debug' });

  beforeAll(async () => {
    [cairn, browser] = await Promise.all([start(), launchBrowser()]);
    const { stdout } = await run(process.execPath, [CAIRN, 'link'], { env: { ...process.env, CAIRN_HOME: home } });
    const [found] = stdout.matchAll(LINK);
    [link, code] = [found![0], found![1]!];
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await cairn?.stop();
    rmSync(home, { recursive: true, force: true });
  });

  it('signs in, and leaves no trace in the address bar, the history or the page', async () => {
    const opened = await openConsole(browser, {}, link);
    const { page, troubles } = opened;
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    expect(page.url()).toBe(`${cairn.run.url}/search`);
    expect(await page.evaluate('JSON.parse(localStorage.getItem("cairn.session")).token')).toBe(cairn.token);
    expect(await page.content()).not.toContain(code);
    await page.goBack();
    expect(page.url()).toBe('about:blank');
    await page.goForward();
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    expect(page.url()).toBe(`${cairn.run.url}/search`);
    await opened.close();
    expect(troubles).toEqual([]);
  });

  it('does not sign in a second time, but explains how to sign in with the token', async () => {
    const opened = await openConsole(browser, {}, link);
    const { page, troubles } = opened;
    await page.getByRole('status').getByText('has been used or has expired').waitFor();
    expect(page.url()).toBe(`${cairn.run.url}/`);
    await signIn(page, cairn.token);
    await opened.close();
    expect(troubles).toEqual([]);
  });

  it('leaves its code in no log', () => {
    expect(cairn.app.output).not.toContain(code);
    expect(cairn.app.output).toContain('request refused');
  });

  it('is not printed by a start with captured output, which names the command instead', async () => {
    await cairn.app.until(() => cairn.app.output.includes('npx cairn link'));
    expect([...cairn.app.output.matchAll(LINK)]).toEqual([]);
  });
});
