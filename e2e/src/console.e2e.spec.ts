import { describe, expect, it } from '@jest/globals';
import { consoleSuite, goTo, live, PAGES, signIn } from './console.js';
import { callRpc, embedded, newToken, rest, storeItem, underTest } from './under-test.js';

const suite = consoleSuite();

describe('signing in', () => {
  it('explains why a wrong token is refused, and where to find a valid one', async () => {
    const { page } = suite;
    await page.getByLabel('Access token').fill('cairn_live_wrong');
    await page.getByRole('button', { name: 'Sign in' }).click();
    const alert = page.getByRole('alert');
    await alert.waitFor();
    expect(await alert.textContent()).toContain('not known');
    expect(await alert.textContent()).toContain('admin-token');
    await page.getByLabel('Access token').fill('not a token');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText('it begins with cairn_').waitFor();
  });

  it('refuses a link with an invalid code, pasted over the open page, and shows the form', async () => {
    const { page, token } = suite;
    await page.goto(`${underTest.url}/#code=${'0'.repeat(32)}`);
    const notice = page.getByRole('status');
    await notice.getByText('has been used or has expired').waitFor();
    expect(await notice.locator('code').textContent()).toBe('npx cairn link');
    expect(await notice.textContent()).not.toContain('`');
    expect(page.url()).toBe(`${underTest.url}/`);
    await signIn(page, token);
  });

  it('opens every page by its name, survives a reload and ends with a sign-out', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    for (const name of PAGES) await goTo(page, name);
    await page.reload();
    await page.getByRole('heading', { name: 'System', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Access token').waitFor();
    expect(await page.evaluate('localStorage.length + sessionStorage.length + document.cookie.length')).toBe(0);
  });

  it('covers every tab of the browser, and signing out of one signs out of all', async () => {
    const { page, token } = suite;
    const waiting = await page.context().newPage();
    await waiting.goto(underTest.url);
    await waiting.getByLabel('Access token').waitFor();
    await signIn(page, token);
    await waiting.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
    const later = await page.context().newPage();
    await later.goto(`${underTest.url}/folders`);
    await later.getByRole('heading', { name: 'Folders', level: 1 }).waitFor();
    await live(later);
    await later.getByRole('button', { name: 'Sign out' }).click();
    for (const tab of [later, page, waiting]) await tab.getByLabel('Access token').waitFor();
    await page.reload();
    await page.getByLabel('Access token').waitFor();
  });

  it('ends when the token is revoked meanwhile', async () => {
    const { page, token } = suite;
    const { body } = await rest(token, 'POST', '/tokens', { name: 'mine', scopes: ['admin'] });
    await signIn(page, body.token);
    await live(page);
    await rest(token, 'DELETE', `/tokens/${body.id}`);
    await page.getByText('has expired or was revoked').waitFor();
  });

  it('shows a token without the admin scope only what it can use, and names the missing scope at other addresses', async () => {
    const { page, token } = suite;
    const { id } = await storeItem(token, { title: 'To be read', text: 'Not to be changed.' });
    await signIn(page, await newToken(token, { scopes: ['read'], agentId: 'reader' }));
    const links = page.getByRole('navigation', { name: 'Pages' }).getByRole('link');
    expect(await links.allTextContents()).toEqual(['Search', 'Sources', 'Folders']);
    await page.getByLabel('Connection: Not live').waitFor();
    await goTo(page, 'Folders');
    await page.getByText('Inbox').first().waitFor();
    expect(await page.getByRole('button', { name: /New folder|Edit/ }).count()).toBe(0);
    const asked: string[] = [];
    page.on('response', (response) => void (response.status() === 404 && asked.push(response.url())));
    for (const [path, name] of [
      ['/tokens', 'Tokens'],
      ['/activity', 'Activity'],
      ['/system', 'System'],
      [`/receipts/${id}`, 'Receipt of a forgetting'],
    ] as const) {
      await page.goto(`${underTest.url}${path}`);
      await page.getByRole('heading', { name, level: 1 }).waitFor();
      await page.getByText('needs a token with the admin scope').waitFor();
      await page.getByText('signed in as reader; this token has read').waitFor();
    }
    await page.goto(`${underTest.url}/sources/${id}`);
    await page.getByRole('region', { name: 'Chunks' }).getByText('Not to be changed.').waitFor();
    await page.getByText('In Inbox · in the knowledge base').waitFor();
    expect(await page.getByRole('button', { name: /Forget|Save/ }).count()).toBe(0);
    expect(await page.getByRole('region', { name: 'Timeline' }).count()).toBe(0);
    expect(asked).toEqual([]);
    await page.goto(`${underTest.url}/tokens`);
    await page.getByRole('button', { name: 'Sign in with another token' }).click();
    await page.getByLabel('Access token').waitFor();
  });

  it('lets a token with the write scope change an item, but not forget it', async () => {
    const { page, token } = suite;
    const { id } = await storeItem(token, { title: 'To be changed', text: 'text' });
    await signIn(page, await newToken(token, { scopes: ['read', 'write'] }));
    await page.goto(`${underTest.url}/sources/${id}`);
    await page.getByRole('button', { name: 'Save changes' }).waitFor();
    expect(await page.getByRole('button', { name: /Forget/ }).count()).toBe(0);
  });

  it('has a page for unknown addresses, signed in or not', async () => {
    const { page, token } = suite;
    const notFound = page.getByRole('heading', { name: 'There is no such page', level: 1 });
    for (const path of ['/nope', '/sources/a/b']) {
      expect((await page.goto(`${underTest.url}${path}`))!.status()).toBe(404);
      await notFound.waitFor();
    }
    await page.getByRole('link', { name: 'Go to Search' }).click();
    await signIn(page, token);
    await page.goto(`${underTest.url}/nope`);
    await notFound.waitFor();
    await page.getByRole('navigation', { name: 'Pages' }).waitFor();
    for (const [path, accept] of [
      ['/nope', '*/*'],
      ['/nope', 'application/json'],
      ['/api/v1/nope', 'text/html'],
    ] as const) {
      const answer = await fetch(`${underTest.url}${path}`, {
        headers: { accept, authorization: `Bearer ${token}` },
      });
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: { code: 'route.not_found' } }]);
    }
  });
});

describe('searching and looking around', () => {
  it('searches by mode and shows each leg of a score as a bar', async () => {
    const { page, token } = suite;
    const { id } = await storeItem(token, {
      title: 'Runbook',
      text: 'Roll back with helm rollback, then restart pods.',
    });
    await embedded(token, id);
    await signIn(page, token);
    await page.getByLabel('Query').fill('helm rollback');
    await page.keyboard.press('Enter');
    const hit = page.getByRole('article').filter({ hasText: 'Runbook' });
    await hit.waitFor();
    expect(await hit.locator('[role=img][data-leg]').count()).toBe(2);
    await page
      .getByRole('note', { name: 'How to read the scores' })
      .getByText('does not say how certain a hit is')
      .waitFor();
    const widths = await hit.locator('span[data-leg]').evaluateAll((bars) => bars.map((bar) => bar.clientWidth));
    expect(widths.every((width) => width > 0)).toBe(true);
    await page.getByText('Keyword', { exact: true }).click();
    await page.waitForURL(/mode=keyword/);
    await hit.locator('[role=img][data-leg=vector]').waitFor({ state: 'detached' });
    await hit.locator('[role=img][data-leg]').first().waitFor();
    expect(await hit.locator('[role=img][data-leg]').count()).toBe(1);
    await page.getByText('Semantic', { exact: true }).click();
    await page.getByRole('note', { name: 'How to read the scores' }).getByText('as a cosine').waitFor();
    await hit.getByRole('link', { name: 'Runbook' }).click();
    await page.getByRole('region', { name: 'Chunks' }).getByText('Roll back with helm').waitFor();
    await page.getByRole('region', { name: 'Timeline' }).getByText('item.stored').waitFor();
  });

  it('[N-22] [N-69] lists sources, and shows clips and conversations distinctly', async () => {
    const { page, token } = suite;
    await suite.remember({ text: 'a fact', label: 'A clip', kind: 'clip' });
    await suite.remember({ text: 'a talk', label: 'A talk', kind: 'ai-conversation' });
    await signIn(page, token);
    await goTo(page, 'Sources');
    const list = page.getByRole('list', { name: 'Sources' });
    const looks = [];
    for (const [title, label] of [
      ['A clip', 'Clip'],
      ['A talk', 'AI conversation'],
    ] as const) {
      const badge = list.getByRole('listitem').filter({ hasText: title }).getByText(label, { exact: true });
      await badge.waitFor();
      looks.push(
        await badge.evaluate((element) => {
          const box = element.parentElement!;
          const { backgroundColor, color } = box.ownerDocument.defaultView!.getComputedStyle(box);
          return { backgroundColor, color, icon: box.querySelector('svg')!.innerHTML };
        }),
      );
    }
    expect(looks[0]!.backgroundColor).not.toBe(looks[1]!.backgroundColor);
    expect(looks[0]!.color).not.toBe(looks[1]!.color);
    expect(looks[0]!.icon).not.toBe(looks[1]!.icon);
    await page.getByLabel('Kind').selectOption('clip');
    await list.getByText('A talk').waitFor({ state: 'detached' });
    await list.getByText('A clip').waitFor();
    expect(await list.getByRole('listitem').count()).toBe(1);
  });

  it('warns that an item was superseded, and links to its replacement', async () => {
    const { page, token } = suite;
    const old = await storeItem(token, { title: 'Old rule', text: 'The text that no longer holds.' });
    const fresh = await storeItem(token, { title: 'New rule', text: 'The text that holds.' });
    await callRpc(token, 'supersede_knowledge', { oldId: old.id, newId: fresh.id });
    await signIn(page, token);
    await goTo(page, 'Sources');
    const row = page.getByRole('listitem').filter({ hasText: 'Old rule' });
    await row.getByText('superseded').waitFor();
    await row.getByRole('link', { name: 'Old rule' }).click();
    await page.getByRole('alert').getByText('no longer valid').waitFor();
    await page.getByRole('link', { name: 'Open the replacement' }).click();
    await page.getByRole('heading', { name: 'New rule' }).waitFor();
    expect(await page.getByRole('alert').count()).toBe(0);
  });

  it('shows a new source without a reload', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Sources');
    await page.getByText('Nothing is stored yet').waitFor();
    await live(page);
    await suite.remember({ text: 'news', label: 'Just arrived' });
    await page.getByRole('link', { name: 'Just arrived' }).waitFor();
  });

  it('moves an item, takes it out of the knowledge base and renames it', async () => {
    const { page, token } = suite;
    const target = await suite.newFolder('Archive');
    const { id } = await storeItem(token, { title: 'Old name', text: 'A text that is kept whole.' });
    await signIn(page, token);
    await page.goto(`${underTest.url}/sources/${id}`);
    await page.getByLabel('Title').fill('New name');
    await page.getByLabel('Folder').selectOption(target);
    await page.getByLabel('Tags').fill('one, two');
    await page.getByLabel('In the knowledge base').uncheck();
    await page.getByRole('button', { name: 'Save changes' }).click();
    await page.getByRole('heading', { name: 'New name' }).waitFor();
    await page.getByRole('region', { name: 'Text' }).getByText('kept whole').waitFor();
    const { body } = await rest(token, 'GET', `/items/${id}`);
    expect(body).toMatchObject({ title: 'New name', folderId: target, inKb: false, tags: ['one', 'two'] });
  });

  it('shows the progress of the projections and the running parts, and sets the quota', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'System');
    await page.getByRole('list', { name: 'Components' }).getByText('gateway').waitFor();
    await page.getByRole('region', { name: 'Projections' }).getByText('library').first().waitFor();
    await page.getByLabel('Limit').fill('50');
    await page.getByRole('button', { name: 'Set limit' }).click();
    await page.getByText('0 of 50').waitFor();
    expect((await rest(token, 'GET', '/quotas')).body.knowledge_stored.limit).toBe(50);
  });
});

describe('folders and tokens', () => {
  it('creates a folder, then changes its tier and cap', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Folders');
    await page.getByRole('button', { name: 'New folder' }).click();
    await page.getByLabel('Name').pressSequentially('Diary of');
    expect(await page.getByLabel('Slug').inputValue()).toBe('diary-of');
    await page.getByLabel('Name').pressSequentially(' 2026');
    expect(await page.getByLabel('Slug').inputValue()).toBe('diary-of-2026');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByRole('button', { name: 'Edit Diary of 2026' }).click();
    await page.getByLabel('Tier').selectOption('sensitive');
    await page.getByLabel('Tokens per recall').fill('1500');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('at most 1,500 tokens per recall').waitFor();
    const { body } = await rest(token, 'GET', '/folders');
    expect(body.items).toContainEqual(
      expect.objectContaining({ slug: 'diary-of-2026', tier: 'sensitive', maxTokensPerRecall: 1_500 }),
    );
  });

  it('keeps a slug that was typed, and shows the error of the server beside the field', async () => {
    const { page, token } = suite;
    await signIn(page, token);
    await goTo(page, 'Folders');
    await page.getByRole('button', { name: 'New folder' }).click();
    const slug = page.getByLabel('Slug');
    const expectSlugError = async (words: RegExp) => {
      await page.getByRole('button', { name: 'Create folder' }).click();
      await page.locator('[aria-invalid=true]').waitFor();
      expect(await slug.getAttribute('aria-invalid')).toBe('true');
      const ids = (await slug.getAttribute('aria-describedby'))!.trim().split(/\s+/);
      const texts = await Promise.all(ids.map((id) => page.locator(`[id="${id}"]`).textContent()));
      expect(texts.join(' ')).toMatch(words);
      expect(await page.getByRole('alert').count()).toBe(0);
    };
    await page.getByLabel('Name').fill('Second inbox');
    await slug.fill('inbox');
    await page.getByLabel('Name').fill('Another inbox');
    expect(await slug.inputValue()).toBe('inbox');
    await expectSlugError(/a folder with the slug "inbox" exists/);
    await slug.fill('Not A Slug');
    await expectSlugError(/a-z/);
    await slug.fill('another');
    await page.getByRole('button', { name: 'Create folder' }).click();
    await page.getByRole('button', { name: 'Edit Another inbox' }).waitFor();
  });

  it('issues a token whose secret is shown and copied once, then revokes it', async () => {
    const { page, token } = suite;
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await signIn(page, token);
    await goTo(page, 'Tokens');
    await page.getByRole('button', { name: 'Issue token' }).click();
    await page.getByLabel('Name').fill('Laptop');
    await page.getByRole('dialog').getByLabel('memory:read').check();
    await page.getByRole('button', { name: 'Issue', exact: true }).click();
    const secret = await page.getByLabel('New token').inputValue();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied.').waitFor();
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(secret);
    await page.getByLabel('Connect a client').selectOption('Gemini CLI');
    await page.getByRole('button', { name: 'Copy: Add to ~/.gemini/settings.json' }).click();
    await page.getByText('Copied.').nth(1).waitFor();
    const block = JSON.parse(await page.evaluate<string>('navigator.clipboard.readText()'));
    const { httpUrl, headers } = block.mcpServers.cairn;
    expect([httpUrl, headers]).toEqual([`${underTest.url}/mcp`, { Authorization: `Bearer ${secret}` }]);
    expect((await rest(secret, 'GET', '/folders')).status).toBe(200);
    await page.getByRole('button', { name: 'I have it' }).click();
    expect(await page.content()).not.toContain(secret);
    await page.getByRole('button', { name: 'Revoke Laptop' }).click();
    await page.getByRole('button', { name: 'Revoke token' }).click();
    await page.getByRole('listitem').filter({ hasText: 'Laptop' }).getByText('revoked', { exact: true }).waitFor();
  });
});
