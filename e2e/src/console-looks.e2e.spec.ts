import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleSuite, goTo, openConsole, signIn } from './console.js';
import { callRpc, rest, storeItem, underTest } from './under-test.js';

const suite = consoleSuite();

const LONG = 'Averyverylongwordwithoutanyspacesthatgoesonandon'.repeat(2);
/** WCAG 2.2, AA: for normal text, and for large text and the borders of controls. */
const [TEXT_CONTRAST_MIN, EDGE_CONTRAST_MIN] = [4.5, 3];

/**
 * Runs in the page, so it is one self-contained function. Returns everything that a person would complain about, as
 * sentences. Colours are compared with the first opaque background behind the element; disabled elements may be faint.
 */
const complaints = ([textMin, edgeMin]: readonly number[]): string[] => {
  type Colour = [number, number, number, number];
  const page = globalThis as any;
  const { document, getComputedStyle, innerWidth } = page;
  const parse = (text: string): Colour => {
    const [r = 0, g = 0, b = 0, a = 1] = (text.match(/[\d.]+/g) ?? []).map(Number);
    return [r, g, b, a];
  };
  const over = (top: Colour, below: Colour): Colour =>
    [0, 1, 2].map((i) => top[i]! * top[3] + below[i]! * (1 - top[3])).concat(1) as Colour;
  const behind = (element: any): Colour => {
    const layers: Colour[] = [];
    for (let at = element; at; at = at.parentElement) {
      layers.push(parse(getComputedStyle(at).backgroundColor));
      if (layers.at(-1)![3] === 1) break;
    }
    return layers.reduceRight((below, top) => over(top, below), [255, 255, 255, 1] as Colour);
  };
  const light = (colour: Colour): number => {
    const [r, g, b] = colour.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    }) as [number, number, number];
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const contrast = (colour: string, element: any): number => {
    const back = behind(element);
    const [a, b] = [light(over(parse(colour), back)), light(back)].sort((x, y) => y - x) as [number, number];
    return (a + 0.05) / (b + 0.05);
  };
  const visible = (element: any): boolean =>
    element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
    !element.closest('[disabled], [data-disabled], [aria-hidden=true]');
  const found: string[] = [];
  const say = (what: string, element: any): void => {
    found.push(`${what}: ${(element.textContent || element.outerHTML).slice(0, 80)}`);
  };
  const sideways = document.documentElement.scrollWidth - innerWidth;
  if (sideways > 0) found.push(`the page is ${sideways} px too wide`);
  const all = [...document.querySelectorAll('body *')].filter((element) => visible(element));
  // With a dialog open, the content behind it is dimmed on purpose.
  const dialog = document.querySelector('[role=dialog]');
  for (const element of all.filter((one) => !dialog || dialog.contains(one))) {
    const style = getComputedStyle(element);
    const hasText = [...element.childNodes].some((node: any) => node.nodeType === 3 && node.textContent.trim() !== '');
    if (hasText && contrast(style.color, element) < textMin!) say(`faint, ${contrast(style.color, element)}`, element);
    if (element.matches('input, textarea, select, button, a')) {
      const name =
        element.getAttribute('aria-label') ?? element.getAttribute('aria-labelledby') ?? element.textContent.trim();
      if (name === '' && !element.labels?.length) say('has no name', element);
    }
    if (element.matches('input:not([type=hidden]), textarea, select') && style.borderTopStyle === 'solid') {
      if (contrast(style.borderTopColor, element.parentElement) < edgeMin! && !element.checked)
        say(`edge is faint, ${contrast(style.borderTopColor, element.parentElement)}`, element);
    }
    if (element.matches('[placeholder]') && element.placeholder !== '') {
      const { color } = getComputedStyle(element, '::placeholder');
      if (contrast(color, element) < textMin!) say(`placeholder is faint, ${contrast(color, element)}`, element);
    }
    const frame = dialog ? dialog.getBoundingClientRect() : { left: 0, right: innerWidth };
    const box = element.getBoundingClientRect();
    // Elements outside the page are there for the keyboard, and come into view with the focus.
    if (hasText && box.right > 0 && (box.right > frame.right + 1 || box.left < frame.left - 1))
      say('sticks out', element);
  }
  if (!dialog && document.querySelectorAll('h1').length !== 1) found.push('there is not one heading of level 1');
  return found;
};

const look = async (page: Page, name: string): Promise<string[]> => {
  // Transitions of colours and dialogs are over when nothing is animated any more.
  await page.evaluate('Promise.all(document.getAnimations().map((one) => one.finished.catch(() => undefined)))');
  const found = await page.evaluate(complaints, [TEXT_CONTRAST_MIN, EDGE_CONTRAST_MIN]);
  return found.map((complaint) => `${name}: ${complaint}`);
};

/** The pages of the graph and of the connections, with names of the maximum length. */
const outward = async (page: Page, token: string, seen: (name: string) => Promise<void>): Promise<void> => {
  const name = LONG.slice(0, 80);
  const edges = [
    { subject: name, predicate: 'works_at', object: 'Meridian Labs', subjectType: 'person' },
    { subject: 'Bob Stone', predicate: 'knows', object: name, sourceKind: 'ambiguous', confidence: 0.6 },
  ];
  const text = `${name} works at Meridian Labs. Bob Stone knows ${name}, perhaps.`;
  const stated = await rest(token, 'POST', '/edges', { text, edges });
  await rest(token, 'POST', '/accounts', { connectorId: 'strava', label: LONG.slice(0, 60) });
  await rest(token, 'POST', '/mcp-servers', {
    name: 'silent',
    url: `http://127.0.0.1:${underTest.closedPort}/mcp`,
  });
  await page.goto(`${underTest.url}/sources/${stated.body.itemId}`);
  await page.getByRole('region', { name: 'Chunks' }).waitFor();
  await seen('item with mentions');
  await goTo(page, 'Graph');
  const listed = page.getByRole('list', { name: 'Entities' }).getByRole('link', { name: 'Meridian Labs' });
  await listed.waitFor();
  await page.getByRole('figure', { name: 'Picture of the graph' }).waitFor();
  await seen('graph');
  await listed.click();
  await page.getByRole('list', { name: 'Edges' }).waitFor();
  await seen('entity');
  await page.getByRole('button', { name: 'Merge with …' }).click();
  await page.getByLabel('Find the other name').fill('Bob');
  await page.getByRole('radio', { name: 'Bob Stone' }).first().check();
  await seen('merge');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await goTo(page, 'Review');
  await page.getByRole('list', { name: 'Waiting for review' }).waitFor();
  await seen('review');
  await goTo(page, 'Connections');
  await page.getByRole('list', { name: 'Accounts' }).waitFor();
  await seen('connections');
  await page.getByRole('button', { name: /^Purge/ }).click();
  await page.getByRole('status', { name: 'What stays' }).waitFor();
  await seen('purge');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.getByRole('button', { name: 'Connect Web pages' }).click();
  await page.getByLabel('Label').waitFor();
  await seen('connect');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await goTo(page, 'Servers');
  await page.getByRole('list', { name: 'Servers' }).waitFor();
  await seen('servers');
  await page.getByRole('button', { name: 'Register server' }).click();
  await page.getByLabel('Credential').selectOption('header');
  await seen('register server');
  await page.getByRole('button', { name: 'Cancel' }).click();
};

describe.each([
  [1280, 'light'],
  [1280, 'dark'],
  [390, 'light'],
  [390, 'dark'],
] as const)('every page at %i pixels in %s colours', (width, colorScheme) => {
  it('fits, is readable, and names its controls', async () => {
    const { token, browser } = suite;
    await rest(token, 'POST', '/folders', { slug: 'long', name: LONG, tier: 'sensitive', readme: LONG });
    const { id } = await storeItem(token, { title: LONG, text: `${LONG} is stored here.`, tags: ['long'] });
    const old = await storeItem(token, { title: 'Replaced', text: 'by the long one' });
    await callRpc(token, 'supersede_knowledge', { oldId: old.id, newId: id });
    const gone = await storeItem(token, { title: 'To go', text: 'gone' });
    const { body: receipt } = await rest(token, 'DELETE', `/items/${gone.id}`);
    await rest(token, 'POST', '/tokens', { name: LONG, scopes: ['read', 'admin'] });
    const opened = await openConsole(browser, { viewport: { width, height: 844 }, colorScheme });
    const { page } = opened;
    const found: string[] = [];
    const seen = async (name: string): Promise<void> => void found.push(...(await look(page, name)));
    await seen('sign in');
    await page.getByLabel('Access token').fill('cairn_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('alert').waitFor();
    await seen('sign in, refused');
    await page.goto(`${underTest.url}/nope`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await seen('not found');
    await page.goto(`${underTest.url}/`);
    await signIn(page, token);
    await seen('search');
    await page.goto(`${underTest.url}/search?q=stored&mode=keyword`);
    await page.getByRole('article').first().waitFor();
    await seen('hits');
    await goTo(page, 'Sources');
    await page.getByRole('list', { name: 'Sources' }).waitFor();
    await seen('sources');
    await page.getByRole('button', { name: 'New note' }).click();
    await page.getByLabel('Title').fill(LONG);
    await page.getByLabel('Text').fill(LONG);
    await page.getByLabel('Tags').fill('not a tag');
    await page.getByRole('button', { name: 'Store note' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await seen('new note, refused');
    await page.getByRole('button', { name: 'Cancel' }).click();
    await page.getByRole('button', { name: 'Upload' }).click();
    const files = ['.txt', '.pdf'].map((end) => ({ name: LONG + end, mimeType: '', buffer: Buffer.from(LONG) }));
    await page.locator('input[type=file]').setInputFiles(files);
    await page.getByRole('button', { name: 'Store 2 files' }).click();
    await page.getByText('1 of 2 files stored, 1 failed').waitFor();
    await seen('upload, one refused');
    await page.getByRole('button', { name: 'Close' }).last().click();
    await page.getByRole('status', { name: 'Last stored' }).getByRole('link').waitFor();
    await seen('sources, after an upload');
    await page.goto(`${underTest.url}/sources/${id}`);
    await page.getByRole('region', { name: 'Timeline' }).getByText('item.stored').waitFor();
    await seen('item');
    await page.goto(`${underTest.url}/sources/${old.id}`);
    await page.getByRole('link', { name: 'Open the replacement' }).waitFor();
    await seen('item that was superseded');
    await page.getByRole('button', { name: 'Forget', exact: true }).first().click();
    await page.getByRole('button', { name: 'Forget for good' }).waitFor();
    await seen('forget');
    await page.goto(`${underTest.url}/sources/${gone.id}`);
    await page.getByText('This item is not here').waitFor();
    await seen('item that is gone');
    await outward(page, token, seen);
    await goTo(page, 'Folders');
    await page.getByRole('list', { name: 'Folders' }).waitFor();
    await seen('folders');
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name').fill('Inbox');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.locator('[aria-invalid=true]').waitFor();
    await seen('new folder, refused');
    await page.goto(`${underTest.url}/tokens`);
    await page.getByRole('list', { name: 'Tokens' }).waitFor();
    await seen('tokens');
    await page.getByRole('button', { name: 'Issue token' }).click();
    await page.getByLabel('Name').fill('Looked at');
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    await page.getByLabel('Connect a client').selectOption('Codex');
    await seen('connect a client');
    await page.getByRole('button', { name: 'I have it' }).click();
    await page.getByRole('button', { name: 'Issue token' }).click();
    await page.getByLabel('Some folders').check();
    await seen('issue token');
    await page.goto(`${underTest.url}/activity`);
    await page.getByRole('list', { name: 'Ops' }).waitFor();
    await page.locator('summary').first().click();
    await seen('activity');
    await page.goto(`${underTest.url}/receipts/${receipt.receiptId}`);
    await page.getByRole('list', { name: 'Stages' }).waitFor();
    await seen('receipt');
    await goTo(page, 'System');
    await page.getByLabel('Limit').waitFor();
    await seen('system');
    await suite.remember({ text: LONG, label: LONG, target_engram: 'Averyverylongword' });
    await suite.remember({ text: 'No label.', target_engram: 'Zebra crossings' });
    const banner = page.getByRole('alertdialog');
    await banner.waitFor();
    await seen('banner');
    await banner.getByRole('button', { name: 'Discard' }).click();
    await seen('banner, asked before a discard');
    await banner.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor();
    await seen('banner, with undo');
    await banner.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('button', { name: '1 memory waiting' }).waitFor();
    await seen('banner, minimised');
    await goTo(page, 'Activity');
    await page.getByRole('region', { name: 'Waiting for a decision' }).waitFor();
    await page.getByRole('region', { name: 'Discarded' }).waitFor();
    await seen('activity with waiting memories');
    await opened.close();
    expect([...found, ...opened.troubles]).toEqual([]);
  });
});
