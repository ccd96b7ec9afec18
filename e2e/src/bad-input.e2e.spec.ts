import { beforeAll, describe, expect, it } from '@jest/globals';
import { HOSTILE, ID, ROUTES, SPOILED, TOOLS, type Fields } from './bad-input.table.js';
import { BARE_CALLS, callRpc, newWorkspace, rest, rpc, underTest } from './under-test.js';

const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;

describe('bad input', () => {
  let token: string;

  const processStart = async (): Promise<string | undefined> =>
    /^process_start_time_seconds\b.*$/m.exec(await (await fetch(`${underTest.url}/metrics`)).text())?.[0];

  /** What a refused message must leave alone: the newest op of both workspaces that are spoken to, and the process. */
  const world = async (): Promise<unknown> => {
    const newest = async (of: string) => (await rest(of, 'GET', '/ops?limit=1')).body.items[0].id;
    const started = await processStart();
    expect(started).toBeDefined();
    return [await newest(token), await newest(underTest.token), started];
  };

  const untouched = async (act: () => Promise<void>): Promise<void> => {
    const before = await world();
    await act();
    expect(await world()).toEqual(before);
  };

  /** None, no token at all, and one with a wrong last character. */
  const wrongTokens = (): string[] => [
    '',
    'cairn_live_nonsense',
    `${token.slice(0, -1)}${token.endsWith('0') ? '1' : '0'}`,
  ];

  interface Refusal {
    readonly message: string;
    readonly field?: string;
    readonly limit?: unknown;
  }

  /** The refusal of a tool call, in the form of that tool. */
  const refusal = async (call: (typeof BARE_CALLS)[string], tool: string, args: unknown): Promise<Refusal> => {
    const { status, body } = await call(token, tool, args);
    // What is no text is refused before the call reaches a tool.
    if (status === 400) return { message: body.error.message, ...body.error.data };
    if (tool === 'search_knowledge_base') {
      expect(body.error.code).toBe(-32602);
      return { message: body.error.message, ...body.error.data };
    }
    expect([args, body.result.isError]).toEqual([args, true]);
    return body.result.structuredContent;
  };

  /** Names the field in words and apart from them; the path of a part of it begins with it. */
  const names = (field: string) => ({
    message: expect.stringContaining(field),
    field: expect.stringMatching(new RegExp(`(^|\\.)${field}($|[.[])`)),
  });

  /** Every value that a field must not have, with the bound that the refusal must name. */
  const spoiled = function* ({ valid, required, long, range = {}, lists = {}, ...more }: Fields) {
    for (const field of required) {
      const { [field]: _, ...without } = valid;
      yield { field, args: without };
      const own = Array.isArray(valid[field]) ? SPOILED.filter(([what]) => what !== 'a list') : SPOILED;
      for (const [, value] of own) yield { field, args: { ...valid, [field]: value } };
    }
    for (const [field, max] of Object.entries(long)) {
      for (const text of ['x'.repeat(max + 1), 'x'.repeat(900_000)])
        yield { field, limit: max, args: { ...valid, [field]: text } };
    }
    for (const [field, [min, max]] of Object.entries(range)) {
      yield { field, limit: min, args: { ...valid, [field]: min - 1 } };
      yield { field, limit: max, args: { ...valid, [field]: max + 1 } };
      yield { field, args: { ...valid, [field]: 1e300 } };
      if (!more.fractions?.includes(field)) yield { field, args: { ...valid, [field]: min + 0.5 } };
    }
    for (const [field, [max, entry]] of Object.entries(lists))
      yield { field, limit: max, args: { ...valid, [field]: Array(max + 1).fill(entry) } };
    for (const [field, values] of Object.entries(more.wrong))
      for (const value of values) yield { field, args: { ...valid, [field]: value } };
    yield { field: 'surprise', args: { ...valid, surprise: 1 } };
    yield { field: 'constructor', args: { ...valid, constructor: {} } };
  };

  beforeAll(async () => {
    token = (await newWorkspace()).token;
  });

  describe.each(Object.entries(BARE_CALLS))('on a tool in the %s', (_era, call) => {
    it.each(Object.entries(TOOLS))('%s is refused with the name of the field and its limit', (tool, fields) =>
      untouched(async () => {
        for (const { field, limit, args } of spoiled(fields)) {
          const refused = await refusal(call, tool, args);
          const shown = JSON.stringify(args).slice(0, 200);
          expect({ shown, ...refused }).toMatchObject({
            shown,
            ...names(field),
            ...(limit !== undefined && { limit }),
          });
          if (limit !== undefined) expect(refused.message).toContain(String(limit));
        }
      }),
    );

    it.each(Object.keys(TOOLS))(
      '%s is refused when its arguments are no object, too deep or would be a prototype',
      (tool) =>
        untouched(async () => {
          for (const args of [[], 'x', 42, null]) await refusal(call, tool, args);
          const { valid } = TOOLS[tool]!;
          const deep = JSON.parse(`{"a":${nested(40)}}`);
          expect(await refusal(call, tool, { ...valid, surprise: deep })).toMatchObject({ limit: 32 });
          const proto = JSON.parse(`{"__proto__": {"isAdmin": true}}`);
          expect(
            (await refusal(call, tool, Object.assign(Object.create(null), valid, { surprise: proto }))).message,
          ).toContain('__proto__');
        }),
    );

    it.each(Object.entries(TOOLS).filter(([, { free }]) => free))(
      '%s takes hostile text for text',
      async (tool, fields) => {
        for (const [, text] of HOSTILE) {
          for (const field of fields.free!) {
            const { body } = await call(token, tool, { ...fields.valid, [field]: text });
            expect([text, body.error, body.result?.isError ?? false]).toEqual([text, undefined, false]);
            if (tool !== 'store_knowledge') continue;
            const stored = (await rest(token, 'GET', `/items/${body.result.structuredContent.id}`)).body;
            expect(field === 'title' ? stored.title : stored.content).toBe(text.normalize('NFC'));
          }
        }
      },
    );
  });

  describe.each(ROUTES)('on $method $path', (route) => {
    const { method, path, valid } = route;
    const send = (body: unknown) => rest(underTest.token, method, path, body);

    it('is refused with the name of the field and its limit', () =>
      untouched(async () => {
        for (const { field, limit, args } of spoiled(route)) {
          const { status, body } = await send(args);
          const shown = JSON.stringify(args).slice(0, 200);
          expect([shown, status]).toEqual([shown, 400]);
          expect(body.error).toMatchObject({ ...names(field), correlationId: expect.any(String) });
          if (limit === undefined) continue;
          expect([shown, body.error.limit]).toEqual([shown, limit]);
          expect(body.error.message).toContain(String(limit));
        }
      }));

    it('is refused when the body is no JSON, nested too deep or too large', () =>
      untouched(async () => {
        expect((await send('{{{')).status).toBe(400);
        expect((await send(`{"title": ${nested(100)}}`)).status).toBe(400);
        expect((await send('{"__proto__": {"isAdmin": true}}')).status).toBe(400);
        const large = await send(JSON.stringify({ title: 'x'.repeat(2 * 1024 * 1024) }));
        expect(large.status).toBe(413);
        expect(large.body.error.message).toContain('1048576');
      }));

    it('is refused without a token and with a wrong one', () =>
      untouched(async () => {
        for (const wrong of wrongTokens()) expect((await rest(wrong, method, path, valid)).status).toBe(401);
      }));
  });

  /** Every field that a row says something about. */
  const fieldsOf = ({ valid, long, range = {}, lists = {}, wrong }: Fields): string[] =>
    [valid, long, range, lists, wrong].flatMap((part) => Object.keys(part));

  it('is tried on every field of every tool', async () => {
    const { tools } = (await rpc(token, { jsonrpc: '2.0', id: 1, method: 'tools/list' })).body.result;
    const untried = tools
      .filter(({ name }: { name: string }) => name !== 'add_to_knowledge')
      .flatMap(({ name, inputSchema }: { name: string; inputSchema: { properties?: object } }) => {
        const row = TOOLS[name];
        const tried = row ? fieldsOf(row) : [];
        return Object.keys(inputSchema.properties ?? {}).flatMap((field) =>
          tried.includes(field) ? [] : [`${name}.${field}`],
        );
      });
    expect(untried).toEqual([]);
    expect(tools.length).toBeGreaterThan(10);
  });

  it('is tried on every field of every route that takes a body', async () => {
    const { paths } = (await (await fetch(`${underTest.url}/api/v1/openapi.json`)).json()) as any;
    const untried = Object.entries<any>(paths).flatMap(([path, methods]) =>
      Object.entries<any>(methods).flatMap(([method, { requestBody }]) => {
        const properties = Object.keys(requestBody?.content?.['application/json']?.schema?.properties ?? {});
        const pattern = `/api/v1${path.replace(/^\/api\/v1/, '')}`.replace('{id}', ID);
        const row = ROUTES.find((one) => one.method === method.toUpperCase() && `/api/v1${one.path}` === pattern);
        const tried = row ? fieldsOf(row) : [];
        return properties.flatMap((field) => (tried.includes(field) ? [] : [`${method} ${path} ${field}`]));
      }),
    );
    expect(untried).toEqual([]);
  });

  it('POST /items takes hostile text for text', async () => {
    for (const [, text] of HOSTILE) {
      const { status, body } = await rest(token, 'POST', '/items', { title: text, text });
      expect([text, status]).toEqual([text, 201]);
      const stored = (await rest(token, 'GET', `/items/${body.id}`)).body;
      expect([stored.title, stored.content]).toEqual([text.normalize('NFC'), text.normalize('NFC')]);
    }
  });

  it.each([
    ['/items?limit=0', 'limit'],
    ['/items?limit=101', 'limit'],
    ['/items?limit=many', 'limit'],
    ['/items?folderId=nonsense', 'folderId'],
    ['/items?kind=novel', 'kind'],
    ['/items?query=text', 'query'],
    ['/items/nonsense', 'id'],
    ['/folders/nonsense', 'id'],
    ['/ops?from=yesterday', 'from'],
    ['/ops/nonsense', 'id'],
    ['/tokens?surprise=1', 'surprise'],
    ['/quotas?surprise=1', 'surprise'],
  ])('GET %s is refused and names %s', async (path, field) => {
    const { status, body } = await rest(token, 'GET', path);
    expect(status).toBe(400);
    expect(body.error.message).toContain(field);
  });

  it.each([
    'workspaces',
    'folders',
    `folders/${ID}`,
    'tokens',
    'items',
    `items/${ID}`,
    'quotas',
    'ops',
    'projections',
    'status',
  ])('GET /%s is refused without a token and with a wrong one', async (path) => {
    for (const wrong of wrongTokens()) expect((await rest(wrong, 'GET', `/${path}`)).status).toBe(401);
  });

  it.each([
    ['items', { title: 'x' }, 'item.not_found', ['folderId', 'inKb', 'title', 'tags']],
    ['folders', { name: 'x' }, 'folder.not_found', ['name', 'tier', 'maxTokensPerRecall', 'readme']],
  ] as const)(
    'on PATCH /%s/{id} is refused with an id that is none, an unknown one, and nothing to change',
    (noun, change, code, fields) =>
      untouched(async () => {
        const malformed = await rest(token, 'PATCH', `/${noun}/nonsense`, change);
        expect([malformed.status, malformed.body.error.field]).toEqual([400, 'id']);
        const unknown = await rest(token, 'PATCH', `/${noun}/${ID}`, change);
        expect([unknown.status, unknown.body.error.code]).toEqual([404, code]);
        const empty = await rest(token, 'PATCH', `/${noun}/${ID}`, {});
        expect(empty.status).toBe(400);
        for (const field of fields) expect(empty.body.error.message).toContain(field);
      }),
  );

  it('on DELETE /tokens/{id} is refused with an id that is none, an unknown one, and a wrong token', () =>
    untouched(async () => {
      const malformed = await rest(token, 'DELETE', '/tokens/nonsense');
      expect([malformed.status, malformed.body.error.field]).toEqual([400, 'id']);
      const unknown = await rest(token, 'DELETE', `/tokens/${ID}`);
      expect([unknown.status, unknown.body.error.code]).toEqual([404, 'token.not_found']);
      for (const wrong of wrongTokens()) expect((await rest(wrong, 'DELETE', `/tokens/${ID}`)).status).toBe(401);
    }));

  it('on /mcp is refused when it is no JSON-RPC, nested too deep or too large', () =>
    untouched(async () => {
      expect((await rpc(token, '{{{')).body.error.code).toBe(-32700);
      expect((await rpc(token, '42')).body.error.code).toBe(-32600);
      const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_item","arguments":{"item_id":${nested(1_000)}}}}`;
      expect((await rpc(token, deep)).status).toBe(400);
      const large = await callRpc(token, 'store_knowledge', { title: 'x', body: 'x'.repeat(2 * 1024 * 1024) });
      expect(large.status).toBe(413);
      expect((await rpc('cairn_live_nonsense', { jsonrpc: '2.0', id: 1, method: 'tools/list' })).status).toBe(401);
    }));
});
