import { describe, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { consoleSuite, goTo, signIn } from './console.js';
import { rest, storeItem, underTest } from './under-test.js';

const suite = consoleSuite();

/** The graph follows what is stored; a page shows the state at the time it is opened. */
const until = async (check: () => Promise<boolean>): Promise<void> => {
  const deadline = Date.now() + 30_000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error('the graph does not catch up');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const entityId = async (name: string): Promise<string> => {
  let id = '';
  await until(async () => {
    const { body } = await rest(suite.token, 'GET', `/entities?query=${encodeURIComponent(name)}`);
    id = body.items.find((entity: any) => entity.name === name)?.id ?? '';
    return id !== '';
  });
  return id;
};

const state = async (text: string, edges: readonly object[]): Promise<{ itemId: string }> => {
  const { status, body } = await rest(suite.token, 'POST', '/edges', { text, edges });
  expect(status).toBe(201);
  return body;
};

const ALICE = { subject: 'Alice Chen', predicate: 'works_at', object: 'Meridian Labs', subjectType: 'person' };

const edges = (page: Page) => page.getByRole('list', { name: 'Edges' });
const waiting = (page: Page) => page.getByRole('list', { name: 'Waiting for review' }).getByRole('listitem');

describe('Graph', () => {
  it('finds an entity by its name, draws its surroundings, and links to the text that states them', async () => {
    const { page, token } = suite;
    const { itemId } = await state('Alice Chen works at Meridian Labs. Bob Stone may know her.', [
      { ...ALICE, objectType: 'organization' },
      { subject: 'Bob Stone', predicate: 'knows', object: 'Alice Chen', sourceKind: 'inferred', confidence: 0.7 },
    ]);
    await entityId('Alice Chen');
    await signIn(page, token);
    await goTo(page, 'Graph');
    await page
      .getByRole('region', { name: 'Overview' })
      .getByRole('link', { name: /^Bob Stone, / })
      .waitFor();
    await page.getByLabel('Name').fill('alice');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByRole('list', { name: 'Entities' }).getByRole('link', { name: 'Alice Chen' }).click();
    await page.getByRole('heading', { name: 'Alice Chen', level: 1 }).waitFor();
    const picture = page.getByRole('figure', { name: 'Picture of the graph' });
    await picture.getByRole('link', { name: /^Meridian Labs/ }).waitFor();
    const dashed = (name: RegExp) =>
      picture
        .getByRole('link', { name })
        .locator('path')
        .last()
        .evaluate((line) => (globalThis as any).getComputedStyle(line).strokeDasharray as string);
    expect(await dashed(/^Bob Stone knows Alice Chen/)).not.toBe('none');
    expect(await dashed(/^Alice Chen works at Meridian Labs/)).toBe('none');
    expect(await edges(page).getByRole('listitem').count()).toBeGreaterThanOrEqual(2);
    await edges(page)
      .getByRole('listitem')
      .filter({ hasText: 'knows' })
      .locator(`a[href="/sources/${itemId}"]`)
      .click();
    await page.getByRole('region', { name: 'Chunks' }).getByText('Bob Stone may know her.').waitFor();
    const mentions = page.getByRole('region', { name: 'Mentions' });
    await mentions.getByRole('link', { name: 'Alice Chen' }).click();
    await page.getByRole('heading', { name: 'Alice Chen', level: 1 }).waitFor();
  });

  it('can be used with the keyboard alone: Tab and arrows move, a focused edge shows its label, Enter opens', async () => {
    const { page, token } = suite;
    await state('Alice Chen works at Meridian Labs.', [ALICE]);
    const id = await entityId('Alice Chen');
    await signIn(page, token);
    await page.goto(`${underTest.url}/graph/${id}`);
    const picture = page.getByRole('figure', { name: 'Picture of the graph' });
    await picture.waitFor();
    const focused = () => page.evaluate<string>('document.activeElement?.getAttribute("aria-label") ?? ""');
    const tabTo = async (name: string): Promise<void> => {
      for (let tabs = 0; tabs < 40 && !(await focused()).startsWith(name); tabs++) await page.keyboard.press('Tab');
    };
    await tabTo('Alice Chen works at Meridian Labs');
    await picture.locator('text[data-active=true]', { hasText: 'works at' }).waitFor();
    await tabTo('Meridian Labs');
    const arrows = ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'];
    const pressUntil = async (name: string): Promise<void> => {
      for (const key of arrows) if (!(await focused()).startsWith(name)) await page.keyboard.press(key);
      expect(await focused()).toMatch(name);
    };
    await pressUntil('Alice Chen, ');
    await pressUntil('Meridian Labs, ');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Meridian Labs', level: 1 }).waitFor();
    await edges(page).getByRole('link', { name: 'Alice Chen' }).first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Alice Chen', level: 1 }).waitFor();
  });

  it('merges two names after one question, and separates them again', async () => {
    const { page, token } = suite;
    await state('Alice Chen works at Meridian Labs.', [ALICE]);
    await state('Lena Zhao leads Project Northwind.', [
      { subject: 'Lena Zhao', predicate: 'leads', object: 'Project Northwind', subjectType: 'person' },
    ]);
    const id = await entityId('Alice Chen');
    await entityId('Lena Zhao');
    await signIn(page, token);
    await page.goto(`${underTest.url}/graph/${id}`);
    await page.getByRole('button', { name: 'Merge with …' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Find the other name').fill('zhao');
    await dialog.getByRole('radio', { name: 'Lena Zhao' }).first().check();
    await dialog.getByRole('button', { name: 'Merge', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('also Lena Zhao').waitFor();
    await edges(page).getByText('Project Northwind', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Undo the merge of Lena Zhao and Alice Chen' }).click();
    await page.getByText('also Lena Zhao').waitFor({ state: 'detached' });
    await edges(page).getByText('Project Northwind', { exact: true }).waitFor({ state: 'detached' });
  });
});

describe('Review', () => {
  it('shows that nothing waits', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Review');
    await page.getByText('Nothing waits for you').waitFor();
  });

  it('confirms, rejects, merges and keeps apart, and counts the rest in the navigation', async () => {
    const { page, token } = suite;
    await state('Bob Stone hopes for Lisbon, perhaps.', [
      { subject: 'Bob Stone', predicate: 'hopes_for', object: 'Lisbon', sourceKind: 'ambiguous', confidence: 0.4 },
    ]);
    await state('Alice Chen works at Meridian Labs.', [ALICE]);
    await state('Meridian sells maps to Carla Rossi.', [
      { subject: 'Carla Rossi', predicate: 'buys_from', object: 'Meridian', subjectType: 'person' },
    ]);
    const list = async (kind: string) => (await rest(token, 'GET', `/review?kind=${kind}&limit=100`)).body.items;
    const isMeridian = ({ subject, object }: any) => subject === 'Meridian' && object === 'Meridian Labs';
    await until(async () => (await list('edge')).length > 0 && (await list('merge')).some(isMeridian));
    await signIn(page, token);
    await goTo(page, 'Review');
    const count = page
      .getByRole('navigation')
      .getByRole('link', { name: 'Review' })
      .locator('[aria-hidden=true]')
      .last();
    await count.waitFor();
    const bob = waiting(page).filter({ has: page.getByRole('heading', { name: 'Bob Stone hopes for Lisbon' }) });
    await bob.getByText('Bob Stone hopes for Lisbon, perhaps.').waitFor();
    await bob.getByRole('button', { name: /^Confirm: Bob Stone/ }).click();
    await page.getByRole('status', { name: 'Last decision' }).getByText('confirmed').waitFor();
    await bob.waitFor({ state: 'detached' });
    expect(await page.evaluate<string>('document.activeElement?.tagName ?? ""')).toBe('LI');
    expect((await list('edge')).filter(({ predicate }: any) => predicate === 'hopes_for')).toEqual([]);
    await page.getByText('Names', { exact: true }).click();
    const merge = waiting(page).filter({ hasText: 'is the same as Meridian Labs' });
    await merge.getByRole('button', { name: /^Merge: Meridian/ }).click();
    await page.getByRole('status', { name: 'Last decision' }).getByText('merged').waitFor();
    await merge.waitFor({ state: 'detached' });
    expect((await list('merge')).some(isMeridian)).toBe(false);
    const { body } = await rest(token, 'GET', '/entities?query=meridian');
    expect(body.items.map(({ name }: any) => name)).toEqual(['Meridian Labs']);
  });
});

describe('the page of an item', () => {
  it('shows its links in both directions, worded from each end', async () => {
    const { page, token } = suite;
    const plan = await storeItem(token, { title: 'The plan', text: 'Ship on Friday.' });
    const doubt = await storeItem(token, { title: 'The doubt', text: 'Not before Monday.' });
    const links = [{ fromItemId: doubt.id, toItemId: plan.id, type: 'contradicts' }];
    expect((await rest(token, 'POST', '/links', { links })).status).toBe(201);
    await signIn(page, token);
    await page.goto(`${underTest.url}/sources/${plan.id}`);
    const shown = page.getByRole('region', { name: 'Links' });
    await shown.getByText('contradicted by').waitFor();
    await shown.getByRole('link', { name: 'The doubt' }).click();
    await page.getByRole('heading', { name: 'The doubt', level: 1 }).waitFor();
    await page.getByRole('region', { name: 'Links' }).getByRole('link', { name: 'The plan' }).waitFor();
  });
});
