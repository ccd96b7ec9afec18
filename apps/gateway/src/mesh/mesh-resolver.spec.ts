import { describe, expect, it } from '@jest/globals';
import { defineConnector, type Connector } from '@cairn/connectors';
import { fail, systemPrincipal, type LocatedText, type QueryType } from '@cairn/contracts';
import { formatOf } from '@cairn/documents';
import { uuidV7, type AppError } from '@cairn/kernel';
import type { CairnPort } from '@cairn/mcp-tools';
import { createMetrics } from '@cairn/observability';
import { z } from 'zod';
import { ConnectorRegistry } from '../connectors/connector-registry.js';
import { InMemoryBudgetCounter } from './budget-counter.fake.js';
import { DailyTokens } from './daily-tokens.js';
import { MESH_CHECKS } from './mesh-checks.js';
import { MeshResolver } from './mesh-resolver.js';

const BODY = 'one two three four five six seven eight nine ten';
const NOW_MS = Date.parse('2026-11-17T23:00:00Z');
const workspaceId = uuidV7();
const accountId = uuidV7();
const itemId = uuidV7();
const URI = `mesh://notes/${accountId}/${itemId}`;
const caller = { principal: systemPrincipal(workspaceId), rateLimitPerHour: null, correlationId: 'c' };

const LOCATED: LocatedText = {
  folderId: uuidV7(),
  itemId,
  title: 'A note',
  inKb: true,
  retention: 'hollow',
  text: null,
  ref: 'note.txt',
  account: { hydrate: true, confirm: 'never', batchTokensMax: 4_000 },
  confirmation: 'none',
  nonce: null,
  maxTokens: null,
  dailyTokensMax: 200_000,
};

interface World {
  nowMs: number;
  located: LocatedText;
  capabilities: ('hydrate:text' | 'import')[];
  body: string;
  isOfUnknownSize: boolean;
  readonly counter: InMemoryBudgetCounter;
  readonly inFlight: Map<string, number>;
  readonly hydrated: string[];
}

const newWorld = (): World => ({
  nowMs: NOW_MS,
  located: LOCATED,
  capabilities: ['hydrate:text'],
  body: BODY,
  isOfUnknownSize: false,
  counter: new InMemoryBudgetCounter(),
  inFlight: new Map(),
  hydrated: [],
});

const connectorOf = (world: World): Connector =>
  defineConnector({
    manifest: {
      id: 'notes',
      name: 'Notes',
      capabilities: world.capabilities,
      multiAccount: true,
      retention: 'full',
      settings: z.strictObject({}),
    },
    estimate: () => Promise.resolve(world.isOfUnknownSize ? undefined : world.body.split(' ').length),
    hydrate: (ref) => {
      world.hydrated.push(ref);
      return Promise.resolve({ name: ref, bytes: Buffer.from(world.body) });
    },
  });

const resolverOn = (world: World, connector = connectorOf(world)): MeshResolver =>
  new MeshResolver({
    registry: new ConnectorRegistry([connector]),
    openAccount: () => Promise.resolve({ id: accountId, settings: {}, credential: null } as never),
    parser: {
      parse: ({ fileName, bytes }) =>
        Promise.resolve({ format: formatOf(fileName), text: Buffer.from(bytes).toString() }),
    },
    counter: world.counter,
    dailyTokens: new DailyTokens(world.counter, { now: () => world.nowMs }),
    inFlight: world.inFlight,
    clock: { now: () => NOW_MS },
    metrics: createMetrics(),
  });

const cairnOf = (world: World): CairnPort => ({
  command: () => Promise.reject(new Error('nothing is written')),
  query: ((type: QueryType) =>
    type === 'mesh.locate' ? Promise.resolve(world.located) : Promise.reject(new Error(type))) as never,
});

const resolve = (world: World, uri = URI, resolver = resolverOn(world)) =>
  resolver.as(caller, cairnOf(world)).resolve(uri);
const codeOf = (world: World): Promise<string> =>
  resolve(world).then(
    () => 'ok',
    ({ code }: AppError) => code,
  );

const change = (world: World, located: Partial<LocatedText>): void => {
  world.located = { ...world.located, ...located };
};

/** In the order in which they must be reported. */
const FAILURES: readonly (readonly [code: string, spoil: (world: World) => void])[] = [
  ['mesh.unsupported', (world) => (world.capabilities = ['import'])],
  ['mesh.account_off', (world) => change(world, { account: { ...world.located.account!, hydrate: false } })],
  [
    'mesh.confirmation_required',
    (world) => change(world, { account: { ...world.located.account!, confirm: 'always' } }),
  ],
  ['mesh.batch_too_large', (world) => change(world, { account: { ...world.located.account!, batchTokensMax: 9 } })],
  ['mesh.budget_spent', (world) => change(world, { dailyTokensMax: 9 })],
  ['busy', (world) => world.inFlight.set(workspaceId, 2)],
];

describe('the six checks before a fetch', () => {
  it('[C-41] are listed in order in one array', () => {
    expect(MESH_CHECKS.map(({ name }) => name)).toEqual([
      'capability',
      'account',
      'confirmation',
      'batch',
      'budget',
      'concurrency',
    ]);
  });

  it.each(FAILURES)('[C-41] return %s when that check alone fails', async (code, spoil) => {
    const world = newWorld();
    spoil(world);
    expect(await codeOf(world)).toBe(code);
    expect(world.hydrated).toEqual([]);
  });

  it.each(FAILURES.map(([code], i) => [code, i] as const))(
    '[C-41] return %s when every later check fails too',
    async (code, i) => {
      const world = newWorld();
      for (const [, spoil] of FAILURES.slice(i)) spoil(world);
      expect(await codeOf(world)).toBe(code);
    },
  );

  it('release their reservations when a later check rejects the fetch', async () => {
    const world = newWorld();
    change(world, { confirmation: 'valid', nonce: 'n-1' });
    world.inFlight.set(workspaceId, 2);
    expect(await codeOf(world)).toBe('busy');
    expect([...world.counter.sums.values()]).toEqual([0, 0]);
    world.inFlight.clear();
    expect(await codeOf(world)).toBe('ok');
    expect(world.inFlight.size).toBe(0);
  });

  it('[C-42] do not run for an item with its whole text', async () => {
    const world = newWorld();
    for (const [, spoil] of FAILURES) spoil(world);
    change(world, { retention: 'full', text: 'The stored text.' });
    const { text, retention } = await resolve(world);
    expect({ text, retention }).toEqual({ text: 'The stored text.', retention: 'full' });
    expect(world.counter.sums.size).toBe(0);
  });
});

describe('a counter that does not answer', () => {
  const SPENT = `budget.mesh.${workspaceId}.2026-11-17`;
  const USES = `budget.confirmed.${workspaceId}.n-1`;

  /** The nth addition fails; `isCounted` says whether the broker has counted it all the same. */
  const failAt = (world: World, nth: number, isCounted = false): void => {
    const { counter } = world;
    const add = counter.add.bind(counter);
    let calls = 0;
    counter.add = async (subject, amount) => {
      const fails = ++calls === nth;
      const sum = fails && !isCounted ? 0 : await add(subject, amount);
      if (fails) throw fail('service.unavailable', 'the counter of budgets did not answer');
      return sum;
    };
  };

  it('frees no tokens that were not counted', async () => {
    const world = newWorld();
    failAt(world, 1);
    expect(await codeOf(world)).toBe('service.unavailable');
    expect(world.counter.sums.get(SPENT) ?? 0).toBe(0);
  });

  it('leaves a confirmation as it was if its use was not counted', async () => {
    const world = newWorld();
    change(world, { confirmation: 'valid', nonce: 'n-1' });
    failAt(world, 1);
    expect(await codeOf(world)).toBe('service.unavailable');
    expect([...world.counter.sums.values()]).toEqual([]);
    expect(await codeOf(world)).toBe('ok');
    expect(await codeOf(world)).toBe('mesh.confirmation_invalid');
    expect(world.counter.sums.get(USES)).toBe(1);
  });

  it.each([true, false])('frees no tokens when the correction fails, counted: %s', async (isCounted) => {
    const world = newWorld();
    world.isOfUnknownSize = true;
    failAt(world, 2, isCounted);
    expect(await codeOf(world)).toBe('service.unavailable');
    expect(world.counter.sums.get(SPENT)).toBe(isCounted ? 10 : 4_000);
    expect(world.inFlight.size).toBe(0);
  });
});

describe('a fetch over midnight', () => {
  const NEXT_DAY_MS = NOW_MS + 3_600_000;
  const sums = ({ counter }: World) => [...counter.sums].map(([subject, sum]) => [subject.slice(-2), sum]);
  const overMidnight = (world: World, more: () => void = () => undefined): Connector => {
    const connector = connectorOf(world);
    const hydrate: Connector['hydrate'] = async (...args) => {
      world.nowMs = NEXT_DAY_MS;
      more();
      return connector.hydrate!(...args);
    };
    return { ...connector, hydrate };
  };

  it('is charged to the day on which it began', async () => {
    const world = newWorld();
    world.isOfUnknownSize = true;
    expect((await resolve(world, URI, resolverOn(world, overMidnight(world)))).tokens).toBe(10);
    expect(sums(world)).toEqual([['17', 10]]);
  });

  it('releases the reservation of a failed fetch on that day', async () => {
    const world = newWorld();
    const failing = overMidnight(world, () => {
      throw fail('mesh.source_missing', 'gone');
    });
    await expect(resolve(world, URI, resolverOn(world, failing))).rejects.toMatchObject({
      code: 'mesh.source_missing',
    });
    expect(sums(world)).toEqual([['17', 0]]);
  });
});

describe('a refusal', () => {
  const refusalOf = (world: World): Promise<AppError> =>
    resolve(world).then(
      () => Promise.reject(new Error('resolved')),
      (thrown: AppError) => thrown,
    );

  it.each(FAILURES)('with %s names how much of the text is stored', async (_, spoil) => {
    const world = newWorld();
    change(world, { retention: 'metadata' });
    spoil(world);
    expect((await refusalOf(world)).details['retention']).toBe('metadata');
  });

  it('of an item that the caller does not see is the one of the library, unchanged', async () => {
    const missing = fail('item.not_found', 'no such item', { field: 'uri' });
    const cairn: CairnPort = { ...cairnOf(newWorld()), query: () => Promise.reject(missing) };
    await expect(resolverOn(newWorld()).as(caller, cairn).resolve(URI)).rejects.toBe(missing);
  });
});

describe('a fetch', () => {
  it('[C-37] returns the text of the source with its provenance, and charges for what it returned', async () => {
    const world = newWorld();
    expect(await resolve(world)).toEqual({
      text: BODY,
      tokens: 10,
      compacted: false,
      retention: 'hollow',
      provenance: { connector: 'notes', uri: URI, fetchedAt: '2026-11-17T23:00:00.000Z' },
    });
    expect([...world.counter.sums]).toEqual([[`budget.mesh.${workspaceId}.2026-11-17`, 10]]);
  });

  it('[C-38] is cut to 4,000 tokens', async () => {
    const world = newWorld();
    world.body = Array.from({ length: 6_000 }, (_, i) => `w${i % 10}`).join(' ');
    const long = await resolve(world);
    expect(long.compacted).toBe(true);
    expect(long.tokens).toBeLessThanOrEqual(4_000);
    expect(long.tokens).toBeGreaterThan(3_900);
  });

  it('of a text of unknown size is charged or rejected by its actual size', async () => {
    const world = newWorld();
    world.isOfUnknownSize = true;
    change(world, { dailyTokensMax: 12, account: { ...LOCATED.account!, batchTokensMax: 12 } });
    expect((await resolve(world)).tokens).toBe(10);
    expect([...world.counter.sums.values()]).toEqual([10]);
    expect(await codeOf(world)).toBe('mesh.budget_spent');
    change(world, { dailyTokensMax: 100, account: { ...LOCATED.account!, batchTokensMax: 9 } });
    expect(await codeOf(world)).toBe('mesh.batch_too_large');
    expect([...world.counter.sums.values()]).toEqual([10]);
  });

  it('of a table keeps its header and whole rows', async () => {
    const world = newWorld();
    world.located = { ...LOCATED, ref: 'table.csv' };
    world.isOfUnknownSize = true;
    world.body = ['city,sales', ...Array.from({ length: 3_000 }, (_, i) => `Oslo,${i}`)].join('\n');
    const { text, tokens, compacted } = await resolve(world);
    expect([compacted, tokens <= 4_000]).toEqual([true, true]);
    expect(text).toMatch(/^city,sales\nOslo,0\n(.*\n)*… \d+ of 3000 rows$/);
  });

  it('works once per confirmation, and not without a required one', async () => {
    const world = newWorld();
    change(world, { account: { ...LOCATED.account!, confirm: 'always' }, confirmation: 'valid', nonce: 'n-1' });
    expect(await codeOf(world)).toBe('ok');
    expect(await codeOf(world)).toBe('mesh.confirmation_invalid');
    change(world, { confirmation: 'invalid', nonce: null });
    expect(await codeOf(world)).toBe('mesh.confirmation_invalid');
  });

  it('keeps tokens out of the provenance', async () => {
    const world = newWorld();
    change(world, { confirmation: 'valid', nonce: 'n-1' });
    expect((await resolve(world, `${URI}?confirmation_token=abc.def`)).provenance.uri).toBe(URI);
  });

  it('reports the seconds until the end of the day when the budget is spent', async () => {
    const world = newWorld();
    change(world, { dailyTokensMax: 15 });
    expect(await codeOf(world)).toBe('ok');
    await expect(resolve(world)).rejects.toMatchObject({
      code: 'mesh.budget_spent',
      details: { limit: 15, retryAfterSec: 3_600 },
    });
  });

  it("charges nothing when the source fails, and does not repeat the source's message", async () => {
    const world = newWorld();
    const broken = defineConnector({
      ...connectorOf(world),
      hydrate: () => Promise.reject(new Error('secret of the source')),
    });
    const failing = resolve(world, URI, resolverOn(world, broken));
    const failure = (await failing.catch((thrown: unknown) => thrown)) as AppError;
    expect(failure.code).toBe('mesh.unavailable');
    expect(failure.message).not.toContain('secret');
    expect([...world.counter.sums.values()]).toEqual([0]);
    expect(world.inFlight.size).toBe(0);
  });

  it.each(['mesh://', 'https://example.com', `mesh://notes/${accountId}`, `${URI}?other=1`, `${URI}#x`])(
    'is rejected for %s, which is not a mesh URI',
    async (uri) => {
      await expect(resolve(newWorld(), uri)).rejects.toMatchObject({
        code: 'input.invalid',
        details: { field: 'uri' },
      });
    },
  );
});
