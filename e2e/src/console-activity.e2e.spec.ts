import { describe, expect, it } from '@jest/globals';
import { consoleSuite, goTo, signIn } from './console.js';
import { callRpc, newToken, rest, storeItem } from './under-test.js';

const suite = consoleSuite();

describe('the activity page', () => {
  it('shows the timeline of an item: who stored, corrected and superseded it, and when', async () => {
    const { page, token } = suite;
    const scopes = ['memory:read', 'memory:write', 'knowledge:read', 'knowledge:write', 'read', 'write'];
    const agent = await newToken(token, { agentId: 'gardener', scopes });
    const { id, chunkIds } = await storeItem(agent, { title: 'Watering', text: 'The hose is in /shed/left.' });
    const proposal = 'The hose changed from /shed/left to /shed/right.';
    const proposed = await callRpc(agent, 'correct', { chunkId: chunkIds[0], proposal });
    const { correctionId } = proposed.body.result.structuredContent;
    await callRpc(agent, 'apply', { correctionId });
    const newer = await storeItem(agent, { title: 'Watering again', text: 'There is no hose.' });
    const superseded = await callRpc(agent, 'supersede_knowledge', { oldId: id, newId: newer.id });
    expect(superseded.body.result).not.toMatchObject({ isError: true });
    await signIn(page, token);
    await page.goto(new URL(`/sources/${id}`, page.url()).href);
    const steps = page.getByRole('region', { name: 'Timeline' }).locator('.mantine-Timeline-item');
    await steps.nth(2).waitFor();
    const [last, second, first] = await steps.allTextContents();
    expect(first).toMatch(/stored.*gardener/is);
    expect(second).toMatch(/correct.*gardener/is);
    expect(last).toMatch(/supersed/i);
    const times = await steps.locator('time').evaluateAll((all) => all.map((time) => time.getAttribute('datetime')!));
    expect(times.map((time) => Number.isNaN(Date.parse(time)))).toEqual([false, false, false]);
    expect([...times].sort().reverse()).toEqual(times);
  });

  it('lists ops, filters them by kind, and reports when none matches', async () => {
    const { page, token } = suite;
    const { id } = await storeItem(token, { title: 'To go', text: 'Soon gone.' });
    await storeItem(token, { title: 'To stay', text: 'Stays.' });
    expect((await rest(token, 'DELETE', `/items/${id}`)).status).toBe(200);
    await signIn(page, token);
    await goTo(page, 'Activity');
    const ops = page.getByRole('list', { name: 'Ops' }).getByRole('listitem');
    await ops.filter({ hasText: 'item.forgotten' }).waitFor();
    expect(await ops.filter({ hasText: 'item.stored' }).count()).toBe(2);
    const about = (type: string) => page.locator(`[data-about="${type}"]`).allTextContents();
    expect(await about('item.stored')).toEqual(['To stay', 'forgotten']);
    expect(await about('item.forgotten')).toEqual(['forgotten']);
    expect(await about('folder.created')).toEqual(['Inbox']);
    await page.getByLabel('Kind').selectOption('forget');
    await ops.filter({ hasText: 'item.stored' }).first().waitFor({ state: 'detached' });
    for (const text of await ops.allTextContents()) expect(text).toContain('forget');
    await ops.filter({ hasText: 'item.forgotten' }).getByRole('link', { name: 'Receipt' }).waitFor();
    await page.getByLabel('Kind').selectOption('supersede');
    await page.getByText('No op fits').waitFor();
  });

  it.each([
    ['Kind', 'kind'],
    ['Type', 'type'],
  ])('filters by every %s that the API knows, and by no other', async (label, name) => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Activity');
    const { parameters } = (await rest(token, 'GET', '/openapi.json')).body.paths['/api/v1/ops'].get;
    const known: string[] = parameters.find((one: any) => one.name === name).schema.enum;
    const offered = await page
      .getByLabel(label)
      .locator('option')
      .evaluateAll((options) => options.map((option) => option.getAttribute('value')!));
    expect(offered).toEqual(['', ...known.toSorted()]);
  });

  it('names the subject of each op, with one request for all of them', async () => {
    const { page, token } = suite;
    const old = await storeItem(token, { title: 'Tide table', text: 'High water at nine.' });
    const newer = await storeItem(token, { title: 'New tide table', text: 'High water at ten.' });
    await callRpc(token, 'supersede_knowledge', { oldId: old.id, newId: newer.id });
    await rest(token, 'PATCH', `/items/${newer.id}`, { title: '<b>Tides</b>' });
    await signIn(page, token);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.goto(new URL('/activity', page.url()).href);
    const superseded = page.getByRole('listitem').filter({ hasText: 'item.superseded' });
    await superseded.getByRole('link', { name: 'Tide table' }).waitFor();
    const stored = page.getByRole('listitem').filter({ hasText: 'item.stored' });
    expect(await stored.getByRole('link').allTextContents()).toEqual(['<b>Tides</b>', 'Tide table']);
    expect(asked.filter((path) => /^\/api\/v1\/(items|sources)/.test(path))).toEqual([]);
    await superseded.getByRole('link', { name: 'Tide table' }).click();
    await page.getByRole('heading', { name: 'Tide table', level: 1 }).waitFor();
  });

  it('shows waiting decisions beside the history', async () => {
    const { page, token } = suite;
    await suite.remember({ text: 'x', label: 'Undecided', target_engram: 'Nowhere at all' });
    await signIn(page, token);
    await goTo(page, 'Activity');
    const waiting = page.getByRole('region', { name: 'Waiting for a decision' });
    await waiting.getByText('Undecided').waitFor();
    await suite.banner.getByRole('button', { name: 'Discard' }).click();
    await suite.banner.getByRole('button', { name: 'Discard' }).click();
    await waiting.waitFor({ state: 'detached' });
  });

  it('lets each waiting memory be decided, with any folder, even if no name came close', async () => {
    const { page, token } = suite;
    const attic = await suite.newFolder('Attic');
    await suite.remember({ text: 'An old chair.', label: 'Chair', target_engram: 'Nowhere at all' });
    await suite.remember({ text: 'A lamp.', label: 'Lamp', target_engram: 'Lamps' });
    await signIn(page, token);
    await suite.banner.getByRole('button', { name: 'Later' }).click();
    await goTo(page, 'Activity');
    const waiting = page.getByRole('region', { name: 'Waiting for a decision' });
    const card = (label: string) => waiting.getByRole('listitem').filter({ hasText: label });
    await card('Chair').getByLabel('Folder').selectOption(attic);
    await card('Chair').getByRole('button', { name: 'Store' }).click();
    await card('Chair').waitFor({ state: 'detached' });
    expect((await rest(token, 'GET', `/items?folderId=${attic}`)).body.items).toMatchObject([{ title: 'Chair' }]);
    await card('Lamp').getByRole('button', { name: 'Create new' }).click();
    await waiting.waitFor({ state: 'detached' });
    const folders = (await rest(token, 'GET', '/folders')).body.items;
    expect(folders.map(({ name }: { name: string }) => name)).toContain('Lamps');
  });

  it('lists discarded memories as long as they can be restored', async () => {
    const { page, token } = suite;
    await suite.remember({ text: 'An old chair.', label: 'Chair', target_engram: 'Nowhere at all' });
    await signIn(page, token);
    await suite.banner.getByRole('button', { name: 'Later' }).click();
    await goTo(page, 'Activity');
    const waiting = page.getByRole('region', { name: 'Waiting for a decision' });
    await waiting.getByRole('button', { name: 'Discard' }).click();
    await waiting.getByRole('button', { name: 'Discard' }).click();
    await waiting.waitFor({ state: 'detached' });
    const discarded = page.getByRole('region', { name: 'Discarded' });
    await page.reload();
    await discarded.getByText('An old chair.').waitFor();
    await discarded.getByRole('button', { name: 'Restore' }).click();
    await discarded.waitFor({ state: 'detached' });
    await waiting.getByText('An old chair.').waitFor();
    expect((await rest(token, 'GET', '/confirmations?status=pending')).body.items).toHaveLength(1);
  });
});

describe('a page that cannot be loaded', () => {
  it('shows the error and loads on retry', async () => {
    const { page, token } = suite;
    await storeItem(token, { title: 'Still there', text: 'Of course.' });
    await signIn(page, token);
    const unavailable = {
      error: { code: 'service.unavailable', message: 'search is unavailable; try again', correlationId: 'c' },
    };
    await page.route('**/api/v1/items*', (route) => route.fulfill({ status: 503, json: unavailable }));
    await goTo(page, 'Sources');
    await page.getByText('search is unavailable; try again').waitFor();
    await page.unroute('**/api/v1/items*');
    await page.getByRole('button', { name: /again/i }).click();
    await page.getByRole('link', { name: 'Still there' }).waitFor();
  });
});
