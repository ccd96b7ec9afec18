import { describe, expect, it } from '@jest/globals';
import { FORGOTTEN_SHREDDED_MS_MAX } from '@cairn/contracts';
import { consoleSuite, goTo, live, openConsole, signIn } from './console.js';
import { rest, storeItem, underTest } from './under-test.js';

const suite = consoleSuite();

describe('the confirmation banner', () => {
  it('[N-31] [N-70] appears live, top-center, with ranked candidates and their reasons; a pick stores the memory', async () => {
    const { page, token } = suite;
    const projects = await suite.newFolder('Garden projects');
    await suite.newFolder('Garden projects archive');
    await signIn(page, token);
    await live(page);
    await suite.remember({ text: 'Plant the beans in May.', label: 'Beans', target_engram: 'Gardn projects' });
    await suite.banner.waitFor();
    const box = (await suite.banner.boundingBox())!;
    expect(Math.abs(box.x + box.width / 2 - 1280 / 2)).toBeLessThan(20);
    expect(box.y).toBeLessThan(60);
    const names = await suite.banner.getByRole('listitem').getByRole('button').allTextContents();
    expect(names[0]).toBe('Garden projects');
    await suite.banner.getByText('close spelling').first().waitFor();
    await suite.banner.getByRole('button', { name: 'Garden projects', exact: true }).click();
    await suite.banner.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Show it' }).click();
    await page.getByRole('heading', { name: 'Beans' }).waitFor();
    const { body } = await rest(token, 'GET', `/items?folderId=${projects}`);
    expect(body.items).toMatchObject([{ title: 'Beans', kind: 'clip' }]);
  });

  it('[N-33] offers Create new, which creates a folder with the name that the agent suggested', async () => {
    const { page, token } = suite;
    await suite.newFolder('Kitchen notes');
    await signIn(page, token);
    await live(page);
    await suite.remember({ text: 'Salt the water.', label: 'Pasta', target_engram: 'Kitchen note' });
    await suite.banner.getByRole('button', { name: 'Kitchen notes', exact: true }).waitFor();
    await suite.banner.getByText('Create new makes a folder named “Kitchen note”.').waitFor();
    await suite.banner.getByRole('button', { name: 'Create new' }).click();
    await page.getByRole('link', { name: 'Show it' }).waitFor();
    const folders = (await rest(token, 'GET', '/folders')).body.items;
    const made = folders.find(({ name }: { name: string }) => name === 'Kitchen note');
    expect((await rest(token, 'GET', `/items?folderId=${made.id}`)).body.items).toMatchObject([{ title: 'Pasta' }]);
  });

  it('shows the first lines of the memory, and no placeholder if it has no label', async () => {
    const { page, token } = suite;
    await suite.remember({ text: 'The spare key hangs behind the clock.', target_engram: 'Nowhere at all' });
    await signIn(page, token);
    await suite.banner.getByText('The spare key hangs behind the clock.').waitFor();
    expect(await suite.banner.textContent()).not.toMatch(/untitled|null/i);
    await goTo(page, 'Activity');
    const waiting = page.getByRole('region', { name: 'Waiting for a decision' });
    await waiting.getByText('The spare key hangs behind the clock.').waitFor();
  });

  it('gives the most weight to the close names, and to Create new only if there are none', async () => {
    const { page, token } = suite;
    await suite.newFolder('Garden projects');
    await signIn(page, token);
    await live(page);
    const ground = (name: string): Promise<string> =>
      suite.banner
        .getByRole('button', { name, exact: true })
        .evaluate((button) => (globalThis as any).getComputedStyle(button).backgroundColor);
    await suite.remember({ text: 'Water the roses.', target_engram: 'Gardn projects' });
    await suite.banner.waitFor();
    const filled = await ground('Garden projects');
    expect(await ground('Create new')).toBe(await ground('Later'));
    expect(await ground('Create new')).not.toBe(filled);
    await suite.banner.getByRole('button', { name: 'Garden projects', exact: true }).click();
    await suite.banner.waitFor({ state: 'detached' });
    await suite.remember({ text: 'An old chair.', target_engram: 'Nowhere at all' });
    await suite.banner.waitFor();
    expect(await ground('Create new')).toBe(filled);
  });

  it('shows more of a long text and less again, and Activity shows the whole preview', async () => {
    const { page, token } = suite;
    const text = Array.from({ length: 9 }, (_, i) => `Line ${i} of the memory.`).join('\n');
    await suite.remember({ text, target_engram: 'Nowhere at all' });
    await signIn(page, token);
    const hidden = 'Array.from(document.querySelectorAll("blockquote"), (one) => one.scrollHeight - one.clientHeight)';
    await suite.banner.waitFor();
    expect(await page.evaluate(hidden)).not.toEqual([0]);
    await suite.banner.getByText('Show more of the text').click();
    await suite.banner.getByText('Show less of the text').waitFor();
    expect(await page.evaluate(hidden)).toEqual([0]);
    await suite.banner.getByText('Another folder?').getByRole('link').click();
    await page.getByRole('region', { name: 'Waiting for a decision' }).waitFor();
    expect(await page.evaluate(hidden)).toEqual([0, 0]);
    await suite.banner.getByText('Show less of the text').click();
    await suite.banner.getByText('Show more of the text').waitFor();
  });

  it('shows Discard in red in dark colours', async () => {
    const { token, browser } = suite;
    await suite.remember({ text: 'An old chair.', target_engram: 'Nowhere at all' });
    const opened = await openConsole(browser, { colorScheme: 'dark' });
    await signIn(opened.page, token);
    await goTo(opened.page, 'Activity');
    const discard = opened.page.getByRole('button', { name: 'Discard' });
    await discard.nth(1).waitFor();
    const colours = await discard.evaluateAll(
      (all) => all.map((one) => (globalThis as any).getComputedStyle(one).color) as string[],
    );
    await opened.close();
    for (const colour of colours) {
      const [red = 0, green = 0, blue = 0] = (colour.match(/[\d.]+/g) ?? []).map(Number);
      expect(red - Math.max(green, blue)).toBeGreaterThan(80);
    }
  });

  it('[N-31] takes the focus when the person is idle, so that Tab and Enter decide', async () => {
    const { page, token } = suite;
    await suite.newFolder('Garden projects');
    await signIn(page, token);
    await goTo(page, 'System');
    await live(page);
    await suite.remember({ text: 'Water the roses.', label: 'Roses', target_engram: 'Gardn projects' });
    await suite.banner.waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('Stored in Garden projects').waitFor();
  });

  it('does not move the focus of a person who is typing', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await live(page);
    await page.getByLabel('Query').focus();
    await suite.remember({ text: 'x', label: 'Interruption', target_engram: 'Nowhere at all' });
    await suite.banner.waitFor();
    await page.keyboard.type('roses');
    expect(await page.getByLabel('Query').inputValue()).toBe('roses');
  });

  it('[N-34] offers only Create new if no name comes close', async () => {
    const { page, token } = suite;
    await suite.newFolder('Attic');
    await signIn(page, token);
    await live(page);
    await suite.remember({ text: 'An old chair.', label: 'Chair', target_engram: 'Nowhere at all' });
    await suite.banner.getByText('Chair', { exact: true }).waitFor();
    const buttons = await suite.banner.getByRole('button').allTextContents();
    expect(buttons).toEqual(['Discard', 'Later', 'Create new']);
    expect(await suite.banner.getByLabel('Another folder').count()).toBe(0);
    await suite.banner.getByRole('button', { name: 'Create new' }).click();
    await page.getByRole('status').getByText('Stored in Nowhere at all').waitFor();
  });

  it('lets a memory go into any other folder if none of the close names is right', async () => {
    const { page, token } = suite;
    const folderId = await suite.newFolder('Attic');
    await suite.newFolder('Cellar things');
    await signIn(page, token);
    await live(page);
    await suite.remember({ text: 'An old chair.', label: 'Chair', target_engram: 'Celar things' });
    await suite.banner.getByText('Store it elsewhere').click();
    await suite.banner.getByLabel('Another folder').selectOption(folderId);
    await suite.banner.getByRole('button', { name: 'Store there' }).click();
    await page.getByRole('link', { name: 'Show it' }).waitFor();
    expect((await rest(token, 'GET', `/items?folderId=${folderId}`)).body.items).toMatchObject([{ title: 'Chair' }]);
  });

  it('asks about earlier waiting memories one after the other, and Discard stores nothing', async () => {
    const { page, token } = suite;
    await suite.remember({ text: 'first', label: 'First', target_engram: 'Nowhere at all' });
    await suite.remember({ text: 'second', label: 'Second', target_engram: 'Elsewhere entirely' });
    await signIn(page, token);
    await suite.banner.getByText('1 more waiting').waitFor();
    for (const _ of ['Second', 'First']) {
      const label = (await suite.banner.getByText(/^(First|Second)$/).textContent())!;
      await suite.banner.getByRole('button', { name: 'Discard' }).click();
      await suite.banner.getByText('Its text is erased for good in 10 minutes.').waitFor();
      await suite.banner.getByRole('button', { name: 'Discard' }).click();
      await suite.banner.getByText(label, { exact: true }).waitFor({ state: 'detached' });
    }
    expect((await rest(token, 'GET', '/confirmations?status=pending')).body.items).toEqual([]);
    expect((await rest(token, 'GET', '/items')).body.items).toEqual([]);
  });
});

describe('a postponed memory', () => {
  it('asks before it is discarded, and the discard can be undone', async () => {
    const { page, token } = suite;
    await suite.remember({ text: 'The code of the shed is on the beam.', target_engram: 'Nowhere at all' });
    const waiting = async () => (await rest(token, 'GET', '/confirmations?status=pending')).body.items.length;
    await signIn(page, token);
    const discard = suite.banner.getByRole('button', { name: 'Discard' });
    await discard.click();
    await suite.banner.getByRole('button', { name: 'Keep it' }).click();
    await suite.banner.getByRole('button', { name: 'Create new' }).waitFor();
    await discard.click();
    expect(await waiting()).toBe(1);
    await discard.click();
    await suite.banner.waitFor({ state: 'detached' });
    expect(await waiting()).toBe(0);
    await page.getByRole('button', { name: 'Undo' }).click();
    await suite.banner.getByText('The code of the shed is on the beam.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    expect(await waiting()).toBe(1);
  });

  it('becomes a count after Later, on every page and after a reload, until it is opened or another one arrives', async () => {
    const { page, token } = suite;
    await suite.remember({ text: 'first', label: 'First', target_engram: 'Nowhere at all' });
    await suite.remember({ text: 'second', label: 'Second', target_engram: 'Elsewhere entirely' });
    await signIn(page, token);
    await suite.banner.getByRole('button', { name: 'Later' }).click();
    await suite.banner.waitFor({ state: 'detached' });
    const count = page.getByRole('button', { name: '2 memories waiting' });
    await goTo(page, 'Sources');
    await count.waitFor();
    await page.reload();
    await live(page);
    await count.waitFor();
    expect(await suite.banner.count()).toBe(0);
    const tab = await page.context().newPage();
    await tab.goto(underTest.url);
    await tab.getByRole('button', { name: '2 memories waiting' }).waitFor();
    await tab.close();
    await suite.remember({ text: 'third', label: 'Third', target_engram: 'Another place' });
    await suite.banner.getByText('Third', { exact: true }).waitFor();
    await suite.banner.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: '3 memories waiting' }).click();
    await suite.banner.waitFor();
    expect((await rest(token, 'GET', '/confirmations?status=pending')).body.items).toHaveLength(3);
  });

  it.each([1280, 390])('does not cover the page at %i pixels', async (width) => {
    const { token, browser } = suite;
    for (const name of ['beans', 'berries', 'bulbs', 'herbs', 'roses']) await suite.newFolder(`Garden notes ${name}`);
    await suite.remember({
      text: 'A line of the memory.\n'.repeat(40),
      label: 'L'.repeat(150),
      target_engram: 'Garden',
    });
    const opened = await openConsole(browser, { viewport: { width, height: 844 } });
    const { page } = opened;
    await signIn(page, token);
    await goTo(page, 'Activity');
    const banner = page.getByRole('alertdialog');
    const box = (await banner.boundingBox())!;
    expect(box.height).toBeLessThan(width === 390 ? 844 / 3 : 844 / 2);
    for (const name of ['Garden notes beans', 'Later', 'Create new'])
      expect(await banner.getByRole('button', { name, exact: true }).isVisible()).toBe(true);
    await page.evaluate('scrollTo(0, 600)');
    const [after, content] = [(await banner.boundingBox())!, (await page.getByRole('main').boundingBox())!];
    expect(content.y).toBeLessThan(0);
    expect(after.y + after.height).toBeLessThanOrEqual(content.y + 1);
    await opened.close();
  });
});

describe('forgetting', () => {
  it('[N-61] forgets an item of a sensitive folder after a confirmation, and shows the progress of its receipt', async () => {
    const { page, token } = suite;
    const folderId = await suite.newFolder('Health', 'sensitive');
    const { id } = await storeItem(token, { title: 'Blood test', text: 'The values were fine.', folderId });
    await signIn(page, token);
    await goTo(page, 'Sources');
    await page.getByRole('link', { name: 'Blood test' }).click();
    await page.getByRole('button', { name: 'Forget', exact: true }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep it' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await rest(token, 'GET', `/items/${id}`)).status).toBe(200);
    await page.getByRole('button', { name: 'Forget', exact: true }).first().click();
    await dialog.getByRole('button', { name: 'Forget for good' }).click();
    await dialog.getByText('1 chunk removed and the source deleted.').waitFor();
    const receipt = dialog.getByRole('region', { name: 'Receipt' });
    await receipt.getByRole('list', { name: 'Stages' }).waitFor();
    // Keys, messages and rows are gone within a minute; the signature follows when the last bytes on disk are.
    const shredded = receipt.locator('[data-stage=shredded]').getByText('done');
    await shredded.waitFor({ timeout: FORGOTTEN_SHREDDED_MS_MAX });
    expect((await rest(token, 'GET', `/items/${id}`)).status).toBe(404);
    await dialog.getByRole('button', { name: 'Close' }).first().click();
    await page.getByRole('region', { name: 'Timeline' }).getByText('item.forgotten').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByRole('link', { name: 'Receipt' }).first().click();
    await page.getByRole('heading', { name: 'Receipt of a forgetting' }).waitFor();
    await page.locator('[data-stage=invisible]').getByText('done').waitFor();
  }, 120_000);

  it('forgets one chunk and keeps the rest of its item', async () => {
    const { page, token } = suite;
    const text = Array.from({ length: 900 }, (_, i) => `word${i}`).join(' ');
    const { id, chunkIds } = await storeItem(token, { title: 'Long', text });
    await signIn(page, token);
    await page.goto(`${underTest.url}/sources/${id}`);
    await page.getByRole('button', { name: 'Forget chunk 2' }).click();
    await page.getByRole('button', { name: 'Forget for good' }).click();
    await page.getByText('1 chunk removed; the rest of the source stays.').waitFor();
    const { body } = await rest(token, 'GET', `/items/${id}`);
    expect(body.chunks.map((chunk: { id: string }) => chunk.id)).toEqual(chunkIds.filter((_, i) => i !== 1));
  });
});
