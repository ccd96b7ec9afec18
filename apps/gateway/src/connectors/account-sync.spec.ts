import { describe, expect, it } from '@jest/globals';
import { builtInConnectors, defineConnector, type Connector, type ConnectorHost } from '@cairn/connectors';
import { fail, SYNC_FAILURES_SHOWN_MAX, systemPrincipal, type Retention } from '@cairn/contracts';
import { uuidV7, type AppError } from '@cairn/kernel';
import { InMemoryCairn } from '@cairn/mcp-tools/testing';
import { z } from 'zod';
import { AccountSync, type SyncLimits, type SyncResult } from './account-sync.js';
import { ConnectorRegistry } from './connector-registry.js';

type FetchPage = ConnectorHost['fetchPage'];

const SECRET = 'token-of-the-source';

const page = (text: string): ReturnType<FetchPage> =>
  Promise.resolve({ url: 'https://example.com/', mediaType: 'text/plain', bytes: Buffer.from(text) });

/** How the fetch of a faulty page ends, by its path. */
const HOSTILE: Readonly<Record<string, () => ReturnType<FetchPage>>> = {
  '/redirected': () => Promise.reject(fail('url.refused', 'the page redirects to another site', { field: 'url' })),
  '/endless': () => Promise.reject(fail('url.too_large', 'the page has more than 2097152 bytes', { field: 'url' })),
  '/slow': () => Promise.reject(fail('url.unreachable', 'the page did not come within 10 s', { field: 'url' })),
  '/broken': () => Promise.reject(new Error(`failed with ${SECRET}`)),
  '/private': () => Promise.reject(fail('url.refused', 'the address is not public', { field: 'url' })),
};

const WORKSPACE = uuidV7();

/** Small, so that a source with more documents is quick to make. */
const LIMITS: SyncLimits = { stored: 25, listed: 100 };

/** A source of so many documents, each read by its number. */
const numbered = (count: number, read: (n: number) => string | Promise<string>): Connector =>
  defineConnector({
    manifest: {
      id: 'url',
      name: 'Numbers',
      capabilities: ['sync', 'hydrate:text'],
      multiAccount: true,
      retention: 'full',
      settings: z.looseObject({}),
    },
    list: (_, { after = '-1', limit }) => {
      const all = Array.from({ length: count }, (_, n) => ({ ref: `${n}`, title: `${n}`, facts: {} }));
      return Promise.resolve(all.slice(Number(after) + 1).slice(0, limit));
    },
    hydrate: async (ref) => ({ name: `${ref}.txt`, bytes: Buffer.from(await read(Number(ref))) }),
  });

const world = async (paths: readonly string[], retention: Retention = 'full', connector?: Connector) => {
  const store = new InMemoryCairn();
  const cairn = store.as({ workspaceId: WORKSPACE, agentId: 'admin' });
  const fetched: string[] = [];
  const fetchPage: FetchPage = (url) => {
    const { pathname } = new URL(url);
    fetched.push(pathname);
    return HOSTILE[pathname]?.() ?? page(`The page at ${pathname}.`);
  };
  const registry = new ConnectorRegistry(connector ? [connector] : builtInConnectors({ roots: [], fetchPage }));
  const accountId = uuidV7();
  const settings = { urls: paths.map((path) => `https://example.com${path}`) };
  await cairn.command('account.connect', {
    accountId,
    connectorId: 'url',
    label: 'Pages',
    retention,
    hydrate: true,
    confirm: 'never',
    batchTokensMax: 4_000,
    settings,
    multiAccount: true,
  });
  const openAccount = async (_: string, id: string) => ({
    ...(await cairn.query('account.get', { accountId: id })),
    credential: null,
  });
  const parser = {
    parse: ({ bytes }: { bytes: Uint8Array }) =>
      Promise.resolve({ format: 'txt' as const, text: Buffer.from(bytes).toString() }),
  };
  const clock = { ms: 0, now: () => clock.ms };
  const accounts = new AccountSync(registry, openAccount, parser, clock, LIMITS);
  const sync = (cursor?: string) => accounts.sync(cairn, systemPrincipal(WORKSPACE), accountId, cursor);
  const titles = async () => {
    const { items } = await cairn.query('items.list', { limit: 100, surface: 'rest' });
    return items.map(({ source }) => source.name);
  };
  return { registry, fetched, sync, titles, clock };
};

describe('a sync of pages', () => {
  it('reports each hostile page with its reason, stores the others, and stores nothing of the hostile ones', async () => {
    const { sync, titles } = await world(['/redirected', '/endless', '/broken', '/good', '/slow', '/private']);
    const result = await sync();
    expect(result).toMatchObject({ found: 6, stored: 1, unchanged: 0, failed: 5, left: 0 });
    expect(result.failures.map(({ ref, code }) => [new URL(ref).pathname, code]).sort()).toEqual([
      ['/broken', 'mesh.unavailable'],
      ['/endless', 'url.too_large'],
      ['/private', 'url.refused'],
      ['/redirected', 'url.refused'],
      ['/slow', 'url.unreachable'],
    ]);
    expect(JSON.stringify(result)).not.toContain(SECRET);
    expect(await titles()).toEqual(['https://example.com/good']);
    expect(await sync()).toMatchObject({ stored: 0, unchanged: 1, failed: 5 });
  });

  it('reads no page of an account that keeps metadata only', async () => {
    const { sync, fetched } = await world(['/slow', '/good'], 'metadata');
    expect(await sync()).toMatchObject({ found: 2, stored: 2, failed: 0 });
    expect(fetched).toEqual([]);
  });
});

describe('a sync of many documents', () => {
  it('stores as many as a call takes behind any number that cannot be read, which are counted', async () => {
    const unreadable = LIMITS.stored + 10;
    const read = (n: number): string => {
      if (n < unreadable) throw fail('file.unreadable', 'not a document');
      return `Text ${n}.`;
    };
    const { sync } = await world([], 'full', numbered(unreadable + LIMITS.stored + 1, read));
    const first = await sync();
    expect(first).toMatchObject({ stored: LIMITS.stored, unchanged: 0, failed: unreadable, left: 1 });
    expect(first.failures).toHaveLength(SYNC_FAILURES_SHOWN_MAX);
  });

  it('ends after as many failures as a call takes when a part of Cairn is unavailable', async () => {
    const read = (): string => {
      throw fail('service.unavailable', 'try again');
    };
    const { sync } = await world([], 'full', numbered(LIMITS.stored + 5, read));
    expect(await sync()).toMatchObject({ stored: 0, failed: LIMITS.stored, left: 5 });
  });
});

describe('a sync that does not end in one call', () => {
  /** The answers of the calls, each continued by the cursor of the one before. */
  const answersOf = async (sync: Awaited<ReturnType<typeof world>>['sync']) => {
    const answers = [await sync()];
    for (let next; (next = answers.at(-1)!.nextCursor) !== null;) answers.push(await sync(next));
    return answers;
  };
  const sums = (answers: readonly SyncResult[]) =>
    (['stored', 'unchanged', 'failed'] as const).map((name) => answers.reduce((sum, answer) => sum + answer[name], 0));

  it('is continued by its cursor, which leads past documents of every kind', async () => {
    const read = (n: number): string => {
      if (n % 2 === 0) throw fail('file.unreadable', 'not a document');
      return `Text ${n}.`;
    };
    const { sync } = await world([], 'full', numbered(2 * LIMITS.stored + 20, read));
    const first = await answersOf(sync);
    expect(first.map(({ left }) => left)).toEqual([20, 0]);
    expect(sums(first)).toEqual([LIMITS.stored + 10, 0, LIMITS.stored + 10]);
    expect(sums(await answersOf(sync))).toEqual([0, LIMITS.stored + 10, LIMITS.stored + 10]);
    await expect(sync('!')).rejects.toMatchObject({ code: 'input.invalid', details: { field: 'cursor' } });
  });

  it('starts no further document once its time is up, and goes on with those in the next call', async () => {
    const { sync, clock } = await world(
      [],
      'full',
      numbered(30, (n) => {
        clock.ms += 5_000;
        return `Text ${n}.`;
      }),
    );
    const answers = await answersOf(sync);
    expect(answers.length).toBeGreaterThan(1);
    expect(answers[0]!.stored).toBeLessThan(15);
    expect(sums(answers)).toEqual([30, 0, 0]);
    expect(sums(await answersOf(sync))).toEqual([0, 30, 0]);
  });

  it('makes progress in every call, however slow the source is', async () => {
    const { sync, clock } = await world(
      [],
      'full',
      numbered(12, (n) => {
        clock.ms += 3_600_000;
        return `Text ${n}.`;
      }),
    );
    expect(sums(await answersOf(sync))).toEqual([12, 0, 0]);
  });

  it('says that there are more documents than a call looks at, and reaches them', async () => {
    const count = LIMITS.listed + 5;
    const { sync } = await world([], 'dark', numbered(count, String));
    const [first, ...others] = await answersOf(sync);
    expect(first).toMatchObject({ found: LIMITS.listed + 1, stored: LIMITS.stored });
    expect(sums([first!, ...others])).toEqual([count, 0, 0]);
    const [again] = await answersOf(sync);
    expect(again!.left).toBeGreaterThan(0);
  });

  it('runs once at a time', async () => {
    const { sync } = await world(
      [],
      'full',
      numbered(3, (n) => `Text ${n}.`),
    );
    const codes = await Promise.all(
      [sync(), sync()].map((syncing) =>
        syncing.then(
          () => 'ok',
          ({ code }: AppError) => code,
        ),
      ),
    );
    expect(codes.sort()).toEqual(['busy', 'ok']);
    expect(await sync()).toMatchObject({ stored: 0, unchanged: 3 });
  });

  it('may be run again after a failure', async () => {
    const source = numbered(1, (n) => `Text ${n}.`);
    let isDown = true;
    const list: Connector['list'] = (...args) => (isDown ? Promise.reject(new Error('down')) : source.list!(...args));
    const { sync } = await world([], 'full', { ...source, list });
    await expect(sync()).rejects.toMatchObject({ code: 'mesh.unavailable' });
    isDown = false;
    expect(await sync()).toMatchObject({ stored: 1 });
  });
});

describe('a document whose state the source does not tell', () => {
  it.each(['full', 'metadata'] as const)('is reported and not stored, at the retention %s', async (retention) => {
    const source = numbered(2, (n) => `Text ${n}.`);
    const isUnreadable = true;
    const list: Connector['list'] = async (...args) => [
      { ref: 'x', title: 'x', facts: {}, isUnreadable },
      ...(await source.list!(...args)),
    ];
    const { sync, titles } = await world([], retention, { ...source, list });
    const failures = [{ ref: 'x', code: 'file.unreadable', message: expect.stringContaining('not UTF-8') }];
    expect(await sync()).toMatchObject({ found: 3, stored: 2, failed: 1, failures });
    expect((await titles()).sort()).toEqual(['0', '1']);
    expect(await sync()).toMatchObject({ found: 3, stored: 0, unchanged: 2, failed: 1 });
  });
});

describe('the settings of pages', () => {
  it.each([
    'http://example.com/',
    'https://127.0.0.1/',
    'https://localhost/',
    'https://169.254.169.254/latest/meta-data/',
    'https://[::1]/',
    'https://10.0.0.8/',
    'https://user:secret@example.com/',
    'file:///etc/passwd',
    'https://example.com:8443/',
    'no url',
  ])('reject %s before anything is stored or fetched', async (url) => {
    const { registry, fetched } = await world(['/good']);
    await expect(registry.settings(registry.get('url'), { urls: [url] })).rejects.toMatchObject({
      kind: 'invalid',
      details: { field: expect.stringMatching(/url/) },
    });
    expect(fetched).toEqual([]);
  });
});
