import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleSuite, goTo, signIn } from './console.js';
import { newToken, rest } from './under-test.js';

const suite = consoleSuite();

const upload = (name: string, text: string) => ({
  name,
  mimeType: 'application/octet-stream',
  buffer: Buffer.from(text),
});
const sources = (page: Page) => page.getByRole('list', { name: 'Sources' });
const dialog = (page: Page) => page.getByRole('dialog');
const idOf = async (page: Page, title: string): Promise<string> =>
  (await sources(page).getByRole('link', { name: title, exact: true }).getAttribute('href'))!.split('/').at(-1)!;
const read = async (id: string) => (await rest(suite.token, 'GET', `/items/${id}`)).body;

/** The server receives the next request that stores an item, and the page never receives the answer. */
const loseNextAnswer = (page: Page): Promise<unknown> =>
  page.route(
    '**/api/v1/items',
    async (route) => {
      await route.fetch();
      await route.abort();
    },
    { times: 1 },
  );

/** Drops files as a file manager does. */
const drop = async (page: Page, name: string, text: string): Promise<void> => {
  const data = await page.evaluateHandle(
    ([fileName, content]) => {
      const { DataTransfer, File } = globalThis as any;
      const transfer = new DataTransfer();
      transfer.items.add(new File([content], fileName));
      return transfer;
    },
    [name, text],
  );
  await page.dispatchEvent('main', 'dragover', { dataTransfer: data });
  await page.getByText('Drop files to upload them').waitFor();
  await page.dispatchEvent('main', 'drop', { dataTransfer: data });
};

describe('a new note', () => {
  it('goes into a sensitive folder, is listed at once, and is marked as written by a human', async () => {
    const { page, token } = suite;
    const folderId = await suite.newFolder('Health', 'sensitive');
    await signIn(page, token);
    await page.goto(`${page.url().replace(/search.*/, '')}sources?kind=clip`);
    await page.getByRole('button', { name: 'New note', exact: true }).click();
    await dialog(page).getByLabel('Title').fill('Blood group');
    await dialog(page).getByLabel('Text').fill('It is A positive.');
    await dialog(page).getByLabel('Tags').fill('health, blood-test');
    await dialog(page).getByLabel('Folder').selectOption({ label: 'Health (sensitive)' });
    await dialog(page).getByRole('button', { name: 'Store note' }).click();
    await sources(page).getByRole('link', { name: 'Blood group' }).waitFor();
    expect(await page.getByRole('status', { name: 'Last stored' }).textContent()).toBe('Stored Blood group in Health.');
    expect(await read(await idOf(page, 'Blood group'))).toMatchObject({
      content: 'It is A positive.',
      kind: 'document',
      source: { kind: 'human' },
      tags: ['health', 'blood-test'],
      folderId,
      inKb: true,
    });
  });

  it('can be written with the keyboard alone', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Sources');
    await page.getByRole('button', { name: 'New note', exact: true }).focus();
    await page.keyboard.press('Enter');
    await dialog(page).locator('input:focus').waitFor();
    await page.keyboard.type('By keyboard');
    await page.keyboard.press('Tab');
    await page.keyboard.type('All of it.');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await sources(page).getByRole('link', { name: 'By keyboard' }).waitFor();
    await page.locator('button:focus', { hasText: 'New note' }).waitFor();
  });

  it('is stored once when it is sent again after its answer was lost', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Sources');
    await page.getByRole('button', { name: 'New note', exact: true }).click();
    await dialog(page).getByLabel('Title').fill('Sent twice');
    await dialog(page).getByLabel('Text').fill('text');
    await loseNextAnswer(page);
    await dialog(page).getByRole('button', { name: 'Store note' }).click();
    await dialog(page).getByText('the server cannot be reached').waitFor();
    await dialog(page).getByRole('button', { name: 'Store note' }).click();
    await sources(page).getByRole('link', { name: 'Sent twice' }).first().waitFor();
    expect((await rest(token, 'GET', '/items')).body.items).toMatchObject([{ title: 'Sent twice' }]);
  });

  it('is rejected with the error at its field, and nothing is stored', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Sources');
    await page.getByRole('button', { name: 'New note', exact: true }).click();
    await dialog(page).getByLabel('Title').fill('Wrong tag');
    await dialog(page).getByLabel('Text').fill('text');
    await dialog(page).getByLabel('Tags').fill('two words');
    await dialog(page).getByRole('button', { name: 'Store note' }).click();
    await dialog(page).getByText('must be kebab-case').waitFor();
    expect(await dialog(page).getByLabel('Tags').getAttribute('aria-invalid')).toBe('true');
    expect((await rest(token, 'GET', '/items')).body.items).toEqual([]);
    await dialog(page).getByLabel('Tags').fill('one');
    await dialog(page).getByRole('button', { name: 'Store note' }).click();
    await sources(page).getByRole('link', { name: 'Wrong tag' }).waitFor();
  });
});

describe('an upload', () => {
  it('is stored once when it is sent again after its answer was lost', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Sources');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await page.locator('input[type=file]').setInputFiles([upload('twice.md', '# Twice')]);
    await loseNextAnswer(page);
    await dialog(page).getByRole('button', { name: 'Store 1 file' }).click();
    await dialog(page).getByText('0 of 1 file stored, 1 failed').waitFor();
    await dialog(page).getByRole('button', { name: 'Store 1 file' }).click();
    await dialog(page).getByText('1 of 1 file stored').waitFor();
    expect((await rest(token, 'GET', '/items')).body.items).toMatchObject([{ title: 'twice' }]);
  });

  it('stores several files, reports the one that fails and why, and lists the others', async () => {
    const { page, token } = suite;
    const folderId = await suite.newFolder('Papers');
    await signIn(page, token);
    await goTo(page, 'Sources');
    await page.getByRole('button', { name: 'Upload', exact: true }).click();
    await dialog(page).getByLabel('Folder').selectOption({ label: 'Papers (personal)' });
    await page
      .locator('input[type=file]')
      .setInputFiles([
        upload('first.md', '# First'),
        upload('broken.pdf', 'This is no PDF.'),
        upload('third.txt', 'Third.'),
      ]);
    await dialog(page).getByRole('button', { name: 'Store 3 files' }).click();
    await dialog(page).getByText('2 of 3 files stored, 1 failed').waitFor();
    const rows = dialog(page).getByRole('list', { name: 'Files to upload' }).getByRole('listitem');
    expect(await rows.nth(0).textContent()).toBe('first.mdstored');
    expect(await rows.nth(1).textContent()).toMatch(/^broken\.pdffailed: .*PDF/);
    await dialog(page).getByRole('button', { name: 'Store 1 file' }).waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    const names = sources(page).getByRole('link');
    await names.nth(1).waitFor();
    expect((await names.allTextContents()).sort()).toEqual(['first', 'third']);
    expect(await read(await idOf(page, 'first'))).toMatchObject({
      kind: 'file',
      source: { kind: 'file', name: 'first.md' },
      folderId,
    });
  });

  it('begins with a file that is dropped on the page', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Sources');
    await page.getByRole('button', { name: 'Upload', exact: true }).waitFor();
    await drop(page, 'dropped.txt', 'Dropped here.');
    await dialog(page).getByRole('button', { name: 'Store 1 file' }).click();
    await dialog(page).getByText('1 of 1 file stored').waitFor();
    await dialog(page).getByRole('button', { name: 'Close' }).last().click();
    await sources(page).getByRole('link', { name: 'dropped', exact: true }).waitFor();
  });
});

describe('adding items with a token', () => {
  it('is impossible without the write scope, and the buttons are hidden', async () => {
    const { page, token } = suite;
    await signIn(page, await newToken(token, { scopes: ['read'] }));
    await goTo(page, 'Sources');
    await page.getByText('Nothing is stored yet').waitFor();
    expect(await page.getByRole('button', { name: /New note|Upload/ }).count()).toBe(0);
  });

  it('is limited to its own folders, and the list is updated without live events', async () => {
    const { page, token } = suite;
    const folderId = await suite.newFolder('Mine');
    await suite.newFolder('Secret', 'sensitive');
    const writer = await newToken(token, { scopes: ['read', 'write'], isUnscoped: false, folderIds: [folderId] });
    await signIn(page, writer);
    await goTo(page, 'Sources');
    await page.getByRole('button', { name: 'New note', exact: true }).click();
    const options = dialog(page).getByLabel('Folder').locator('option');
    expect(await options.allTextContents()).toEqual(['Mine (personal)']);
    await dialog(page).getByLabel('Title').fill('Of my own');
    await dialog(page).getByLabel('Text').fill('text');
    await dialog(page).getByRole('button', { name: 'Store note' }).click();
    await sources(page).getByRole('link', { name: 'Of my own' }).waitFor();
  });
});
