import { beforeAll, describe, expect, it } from '@jest/globals';
import { TOOLS } from '@cairn/mcp-tools';
import {
  askRoute,
  askTool,
  canonical,
  OPEN_ROUTES,
  productRoutes,
  productTools,
  ROUTE_ROWS,
  scopeOf,
  TOOL_ROWS,
  type Asked,
  type Call,
  type ProductRoute,
  type RestInput,
} from './scope-matrix.js';
import {
  ALL_BUT_ADMIN,
  HIDDEN_FROM_ADMINS,
  HIDDEN_FROM_READERS,
  newWorld,
  type Column,
  type World,
} from './scope-world.js';
import { BARE_CALLS, BARE_ERAS, BARE_REQUESTS, connect, newToken, rest, rpc, underTest } from './under-test.js';

/** Searches by meaning are comparable only while nothing is written, so tests that write have their own world. */
let [still, busy]: World[] = [];
let routes: readonly ProductRoute[];
const weaker = new Map<string, Promise<string>>();

/** The reader's folders without one scope. */
const without = (scope: string): Promise<string> => {
  const folderIds = [busy!.targets['own folder'].folderId];
  const scopes = ALL_BUT_ADMIN.filter((other) => other !== scope);
  const token = weaker.get(scope) ?? newToken(busy!.admin, { scopes, isUnscoped: false, folderIds });
  weaker.set(scope, token);
  return token;
};

beforeAll(async () => {
  [still, busy, routes] = [await newWorld(), await newWorld(), await productRoutes()];
}, 120_000);

/** The caller's own target is shown; all hidden targets get the same answer. */
const compare = async <I>(
  { input, shows = (content) => content !== undefined }: Call<I>,
  world: World,
  hidden: readonly Column[],
  ask: (input: I) => Promise<Asked>,
): Promise<void> => {
  const own = world.targets['own folder'];
  const mine = await ask(await input(own, world));
  expect({ ...mine, isShown: mine.content !== undefined && shows(mine.content, own) }).toMatchObject({ isShown: true });
  const answers: string[] = [];
  for (const column of hidden) {
    const target = world.targets[column];
    const { answer, content } = await ask(await input(target, world));
    expect([column, content !== undefined && shows(content, target)]).toEqual([column, false]);
    answers.push(canonical(answer, target));
  }
  expect(answers).toEqual(hidden.map(() => answers[0]));
};

describe('the matrix', () => {
  it('[G-27] has a row for every tool and every route of the running product, and no other', async () => {
    expect(Object.keys(TOOL_ROWS).sort()).toEqual((await productTools()).sort());
    expect(TOOLS.map(({ name }) => name)).toEqual(await productTools());
    const named = (some: readonly ProductRoute[]) => some.map(({ method, path }) => `${method} ${path}`).sort();
    expect(Object.keys(ROUTE_ROWS).sort()).toEqual(named(routes.filter(({ access }) => access !== 'anybody')));
    expect(OPEN_ROUTES).toEqual(named(routes.filter(({ access }) => access === 'anybody')));
  });
});

describe.each(Object.entries(TOOL_ROWS))('%s', (name, row) => {
  const isReading = TOOLS.find((tool) => tool.name === name)?.annotations.readOnlyHint === true;
  const world = () => (isReading ? still! : busy!);

  it.each(BARE_ERAS)(
    '[G-27] [G-29b] works in a folder of the token, and treats targets elsewhere exactly like ones that never existed, in the %s',
    async (era) => {
      const ask = (args: object) => askTool(era, world().reader, name, args);
      if ('nothing' in row) expect((await ask(row.nothing(world()))).content).toBeDefined();
      else for (const call of row) await compare(call, world(), HIDDEN_FROM_READERS, ask);
    },
  );

  it('[G-04] [D-02] [D-03] is rejected without its scope: 403 alone, a tool error in a batch and on /mcp/sse', async () => {
    const scope = scopeOf(name);
    const token = await without(scope);
    const call = { jsonrpc: '2.0', method: 'tools/call', params: { name, arguments: {} } };
    for (const era of BARE_ERAS) {
      const alone = await BARE_CALLS[era]!(token, name, {});
      expect([era, alone.status, alone.body.error]).toEqual([era, 403, 'insufficient_scope']);
      expect(alone.body.error_description).toContain(scope);
    }
    const { status, body } = await rpc(token, [
      { ...call, id: 1 },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ]);
    expect(status).toBe(200);
    const refused = body.find(({ id }: { id: number }) => id === 1).result;
    const listed = body.find(({ id }: { id: number }) => id === 2).result.tools;
    expect([refused.isError, refused.structuredContent.code]).toEqual([true, 'scope.missing']);
    expect(listed.map((tool: { name: string }) => tool.name)).not.toContain(name);
    const client = await connect(token, 'HTTP+SSE');
    const answer = await client.call(name, {});
    await client.close();
    expect([answer.isError, answer.structuredContent['code']]).toEqual([true, 'scope.missing']);
  });
});

describe.each(BARE_ERAS)('a resource in the %s', (era) => {
  const read = (token: string, itemId: string) =>
    BARE_REQUESTS[era]!(token, 'resources/read', { uri: `drobek://knowledge/${itemId}` });

  it('[G-27] is read in a folder of the token and not found elsewhere, as if it never existed', async () => {
    const ask = async (itemId: string): Promise<Asked> => {
      const answer = await read(still!.reader, itemId);
      return { answer, content: answer.body.result };
    };
    await compare({ input: ({ itemId }) => itemId }, still!, HIDDEN_FROM_READERS, ask);
  });

  it('[D-02] is rejected without a scope that allows it', async () => {
    const token = await newToken(still!.admin, { scopes: ['write', 'memory:read'] });
    const { status, body } = await read(token, still!.targets['own folder'].itemId);
    expect([status, body.error]).toEqual([403, 'insufficient_scope']);
  });
});

describe.each(Object.entries(ROUTE_ROWS))('%s', (route, row) => {
  const [method = '', path = ''] = route.split(' ');
  const world = () => (method === 'GET' ? still! : busy!);
  const access = () => routes.find((known) => known.method === method && known.path === path)!.access;

  it('[G-27] [G-29b] works for its own targets, and treats targets elsewhere exactly like ones that never existed', async () => {
    const isForAdmins = access() === 'admin';
    const token = { admin: world().admin, 'instance admin': underTest.token }[access() as string] ?? world().reader;
    const ask = (input: RestInput) => askRoute(token, method, input);
    if ('nothing' in row) expect((await ask(row.nothing(world()))).content).toBeDefined();
    else
      for (const call of row) await compare(call, world(), isForAdmins ? HIDDEN_FROM_ADMINS : HIDDEN_FROM_READERS, ask);
  });

  it('[G-04] is not found without its scope', async () => {
    const strange = await rest(await without(access()), method, '/there/is/no/such/route');
    const refused = await rest(
      await without(access()),
      method,
      path.replace('{id}', busy!.targets['own folder'].itemId),
    );
    const own = busy!.targets['own folder'];
    expect(refused.status).toBe(404);
    expect(canonical(refused, own)).toBe(canonical(strange, own));
  });
});
