import { afterAll, afterEach, beforeAll, beforeEach, expect } from '@jest/globals';
import type { Browser, BrowserContextOptions, Locator, Page } from 'playwright-core';
import { launchBrowser } from './browser.js';
import { callRpc, newWorkspace, rest, underTest } from './under-test.js';

export const PAGES = [
  'Search',
  'Sources',
  'Graph',
  'Review',
  'Folders',
  'Connections',
  'Servers',
  'Tokens',
  'Activity',
  'System',
];

/** A page of the console in its own browser context, and the problems that occurred in it. */
export interface ConsolePage {
  readonly page: Page;
  /** Dialogs, errors and everything that the Content-Security-Policy blocked. None is ever expected. */
  readonly troubles: string[];
  close(): Promise<void>;
}

export const openConsole = async (
  browser: Browser,
  options: BrowserContextOptions = {},
  address = `${underTest.url}/`,
): Promise<ConsolePage> => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const troubles: string[] = [];
  const page = await context.newPage();
  page.on('dialog', (dialog) => {
    troubles.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', (error) => troubles.push(`error: ${error.message}`));
  page.on('console', (message) => {
    if (/Content Security Policy/i.test(message.text())) troubles.push(message.text());
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(new URL(address).origin)) troubles.push(`outside: ${request.url()}`);
  });
  await page.goto(address);
  return { page, troubles, close: () => context.close() };
};

export const signIn = async (page: Page, token: string): Promise<void> => {
  await page.getByLabel('Access token').fill(token);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Search', level: 1 }).waitFor();
};

/** Opens the page through its link, as a person would. */
export const goTo = async (page: Page, name: string): Promise<void> => {
  await page.getByRole('link', { name, exact: true }).click();
  await page.getByRole('heading', { name, level: 1 }).waitFor();
};

/** The stream of events is open: everything from now on is reported. */
export const live = (page: Page): Promise<void> => page.getByLabel('Connection: Live').waitFor();

/** Gives each test its own workspace and a fresh page of the console in it. */
class ConsoleSuite {
  browser!: Browser;
  token!: string;
  opened!: ConsolePage;

  get page(): Page {
    return this.opened.page;
  }

  get banner(): Locator {
    return this.page.getByRole('alertdialog');
  }

  async newFolder(name: string, tier = 'personal'): Promise<string> {
    const slug = name.toLowerCase().replaceAll(' ', '-');
    const { status, body } = await rest(this.token, 'POST', '/folders', { slug, name, tier });
    if (status !== 201) throw new Error(`no folder: ${JSON.stringify(body)}`);
    return body.id;
  }

  remember(args: Record<string, string>) {
    return callRpc(this.token, 'remember', args);
  }
}

export const consoleSuite = (): ConsoleSuite => {
  const suite = new ConsoleSuite();
  beforeAll(async () => {
    suite.browser = await launchBrowser();
  });
  afterAll(() => suite.browser.close());
  beforeEach(async () => {
    suite.token = (await newWorkspace()).token;
    suite.opened = await openConsole(suite.browser);
  });
  afterEach(async () => {
    await suite.opened.close();
    expect(suite.opened.troubles).toEqual([]);
  });
  return suite;
};
