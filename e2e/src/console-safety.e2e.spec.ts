import { describe, expect, it } from '@jest/globals';
import { consoleSuite, goTo, openConsole, PAGES, signIn } from './console.js';
import { rest, storeItem, underTest } from './under-test.js';

const PHONE = { width: 390, height: 800 };

const suite = consoleSuite();

describe('hostile text', () => {
  const HOSTILE = [
    '<img src=x onerror="window.pwned=1">',
    '<script>window.pwned=1</script>',
    '"><svg onload=window.pwned=1>',
    '\u202Egnp.exe {{constructor.constructor("window.pwned=1")()}}',
  ];

  it('is shown as plain text wherever stored text is shown, under a strict policy', async () => {
    const { page, token } = suite;
    const folderId = await suite.newFolder('Pit');
    await rest(token, 'PATCH', `/folders/${folderId}`, { name: HOSTILE[0], readme: HOSTILE[1] });
    for (const text of HOSTILE) {
      await storeItem(token, {
        title: text,
        text,
        folderId,
        source: { kind: 'url', uri: 'javascript:window.pwned=1' },
      });
    }
    const { id } = await storeItem(token, { title: HOSTILE[0], text: HOSTILE.join('\n') });
    await suite.remember({
      text: HOSTILE[1]!,
      label: HOSTILE[0]!,
      target_engram: '<script>window.pwned=1</script> none',
    });
    await signIn(page, token);
    await suite.banner.getByText(HOSTILE[0]!).first().waitFor();
    for (const name of PAGES) await goTo(page, name);
    await page.goto(`${underTest.url}/search?q=window+pwned&mode=keyword`);
    await page.getByRole('article').first().waitFor();
    await page.goto(`${underTest.url}/sources/${id}`);
    await page.getByRole('heading', { name: HOSTILE[0]! }).waitFor();
    expect(await page.evaluate('"pwned" in window')).toBe(false);
    expect(await page.locator('main img, main script, a[href^="javascript"]').count()).toBe(0);
    const { headers } = await fetch(`${underTest.url}/`);
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'; script-src 'self'; style-src 'self'/);
    expect(headers.get('content-security-policy')).not.toContain('unsafe');
  });
});

describe('the console', () => {
  it('can be used with the keyboard alone', async () => {
    const { page, token } = suite;
    await page.getByLabel('Access token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    const focused = () => page.evaluate<string>('document.activeElement?.textContent ?? ""');
    for (let tabs = 0; tabs < 20 && (await focused()) !== 'Folders'; tabs++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Folders', level: 1 }).waitFor();
    for (let tabs = 0; tabs < 20 && (await focused()) !== 'New folder'; tabs++) await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    // The dialog moves the focus to its first field a moment after it is visible.
    await page.getByRole('dialog').locator('input:focus').waitFor();
    await page.keyboard.type('By hand');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Edit By hand' }).waitFor();
  });

  it.each(['light', 'dark'] as const)('fits a phone without sideways scrolling, %s', async (colorScheme) => {
    const { token } = suite;
    const phone = await openConsole(suite.browser, { viewport: PHONE, colorScheme });
    await storeItem(token, { title: 'W'.repeat(300), text: `${'x'.repeat(2_000)} some words` });
    await suite.remember({ text: 'x', label: 'L'.repeat(150), target_engram: 'n'.repeat(100) });
    await signIn(phone.page, token);
    await phone.page.getByRole('alertdialog').waitFor();
    const overflow = () => phone.page.evaluate('document.documentElement.scrollWidth - innerWidth');
    for (const name of PAGES) {
      await goTo(phone.page, name);
      expect([name, await overflow()]).toEqual([name, 0]);
    }
    await goTo(phone.page, 'Sources');
    await phone.page.getByRole('link', { name: 'WWW' }).click();
    await phone.page.getByRole('region', { name: 'Chunks' }).waitFor();
    expect(await overflow()).toBe(0);
    const background = await phone.page.evaluate<string>('getComputedStyle(document.body).backgroundColor');
    const brightness = Math.max(...background.match(/\d+/g)!.slice(0, 3).map(Number));
    expect(brightness > 128).toBe(colorScheme === 'light');
    await phone.close();
    expect(phone.troubles).toEqual([]);
  });
});
