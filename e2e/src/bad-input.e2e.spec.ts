import { beforeAll, describe, expect, it } from '@jest/globals';
import { callRpc, newWorkspace, rest, rpc, underTest } from './under-test.js';

const LONE = '\ud800';
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const ID = '00000000-0000-7000-8000-000000000000';

/** What a field may be spoiled with, whatever its meaning. */
const SPOILED: readonly [string, unknown][] = [
  ['a number', 42],
  ['an object', { a: 1 }],
  ['null', null],
  ['NUL', 'a\u0000b'],
  ['a lone surrogate', `a${LONE}b`],
];

interface Fields {
  readonly valid: Record<string, unknown>;
  readonly required: string[];
  readonly long: Record<string, number>;
  /** Values that an optional field must not have. */
  readonly optional: Record<string, readonly unknown[]>;
}

const TIME = [42, 'tomorrow', null];
const FLAG = ['yes', 1, null];

const TOOLS: Record<string, Fields> = {
  search_knowledge_base: {
    valid: { query: 'x' },
    required: ['query'],
    long: { query: 2_000 },
    optional: { limit: ['5', null, {}], mode: [42, 'fuzzy', null], explain: FLAG },
  },
  get_item: { valid: { item_id: ID }, required: ['item_id'], long: {}, optional: {} },
  store_knowledge: {
    valid: { title: 'x', body: 'y' },
    required: ['title', 'body'],
    long: { title: 200, body: 32_000 },
    optional: {
      tags: ['x', [1], ['a b'], null],
      confidence: ['high', 1.5, 101, -1, null],
      expiresAt: TIME,
      taskRef: ['x', {}, { taskId: 't' }, { taskId: 't', kind: 'made' }, { taskId: 42, kind: 'produced' }, null],
      clientToken: [42, 'x', null],
    },
  },
  search_knowledge: {
    valid: { query: 'x' },
    required: ['query'],
    long: { query: 2_000 },
    optional: {
      limit: ['5', 51, null],
      tags: ['x', [1], null],
      includeSuperseded: FLAG,
      includeExpired: FLAG,
      minScore: ['0.5', 2, null],
      efSearch: ['64', 1.5, null],
      explain: FLAG,
    },
  },
  supersede_knowledge: { valid: { oldId: ID, newId: ID }, required: ['oldId', 'newId'], long: {}, optional: {} },
};

interface Route extends Fields {
  readonly method: string;
  readonly path: string;
}

const ROUTES: readonly Route[] = [
  {
    method: 'POST',
    path: '/workspaces',
    valid: { slug: 'x', name: 'x' },
    required: ['slug', 'name'],
    long: { slug: 64, name: 120 },
    optional: {},
  },
  {
    method: 'POST',
    path: '/folders',
    valid: { slug: 'x', name: 'x' },
    required: ['slug', 'name'],
    long: { slug: 64, name: 120, readme: 8_000 },
    optional: { tier: [42, 'secret', null], maxTokensPerRecall: ['10', -1, 1.5], readme: [42, null] },
  },
  {
    method: 'PATCH',
    path: `/folders/${ID}`,
    valid: { name: 'x' },
    required: [],
    long: { name: 120 },
    optional: { name: [42, null], tier: [42, 'secret', null], maxTokensPerRecall: ['10', -1], readme: [42, null] },
  },
  {
    method: 'POST',
    path: '/tokens',
    valid: { name: 'x', scopes: ['read'], isUnscoped: true },
    required: ['name', 'scopes'],
    long: { name: 120, agentId: 64 },
    optional: {
      agentId: [42, 'a b', '', null],
      isUnscoped: FLAG,
      folderIds: ['x', ['x'], [42], null],
      kbOnly: FLAG,
      toolsets: ['memory', ['everything'], [], null],
      rateLimitPerHour: ['10', 0, 1.5],
      expiresAt: [...TIME, '2020-01-01T00:00:00Z'],
    },
  },
  {
    method: 'POST',
    path: '/items',
    valid: { title: 'x', text: 'y' },
    required: ['title', 'text'],
    long: { title: 500, text: 500_000 },
    optional: {
      folderId: [42, 'x', null],
      inKb: FLAG,
      tags: ['x', [1], ['a b'], null],
      source: ['x', { kind: 'rumour' }, { name: 42 }, { uri: 42 }, { surprise: 1 }, null],
      expiresAt: [...TIME, '2020-01-01T00:00:00Z'],
    },
  },
];

describe('bad input', () => {
  let token: string;

  /** The newest op of the two workspaces that these tests speak to: what a refused message must leave alone. */
  const world = (): Promise<unknown> =>
    Promise.all([token, underTest.token].map(async (of) => (await rest(of, 'GET', '/ops?limit=1')).body.items[0].id));

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

  /** The refusal of a tool call, in the form of that tool. */
  const refusal = async (
    tool: string,
    args: unknown,
  ): Promise<{ message: string; field?: string; limit?: unknown }> => {
    const { status, body } = await callRpc(token, tool, args);
    // A string that is no text is refused before the call reaches a tool.
    if (status === 400) return { message: body.error.message, field: body.error.data?.field };
    if (tool === 'search_knowledge_base') {
      expect(body.error.code).toBe(-32602);
      return body.error;
    }
    expect(body.result.isError).toBe(true);
    return body.result.structuredContent;
  };

  beforeAll(async () => {
    token = (await newWorkspace()).token;
  });

  describe.each(Object.entries(TOOLS))('on the tool %s', (tool, { valid, required, long, optional }) => {
    it('is refused when a required field is missing, with its name', () =>
      untouched(async () => {
        for (const field of required) {
          const { [field]: _, ...args } = valid;
          expect((await refusal(tool, args)).message).toContain(field);
        }
      }));

    it('is refused when a field has another type or holds no text, with its name', () =>
      untouched(async () => {
        for (const field of required) {
          for (const [, value] of SPOILED)
            expect((await refusal(tool, { ...valid, [field]: value })).message).toContain(field);
        }
      }));

    it('is refused when an optional field has a wrong value, with its name', () =>
      untouched(async () => {
        for (const [field, values] of Object.entries(optional)) {
          for (const value of values)
            expect((await refusal(tool, { ...valid, [field]: value })).message).toContain(field);
        }
      }));

    it('is refused when a field is too long, with its name and limit', () =>
      untouched(async () => {
        for (const [field, max] of Object.entries(long)) {
          const { message } = await refusal(tool, { ...valid, [field]: 'x'.repeat(max + 1) });
          expect(message).toContain(field);
          expect(message).toContain(String(max));
        }
      }));

    it('is refused when a field is unknown, with its name', () =>
      untouched(async () => {
        expect((await refusal(tool, { ...valid, surprise: 1 })).message).toContain('surprise');
      }));
  });

  describe.each(ROUTES)('on $method $path', ({ method, path, valid, required, long, optional }) => {
    const send = (body: unknown) => rest(underTest.token, method, path, body);
    const refused = (answer: { status: number; body: any }, field: string): void => {
      expect(answer.status).toBe(400);
      expect(answer.body.error).toMatchObject({
        field: expect.stringContaining(field),
        correlationId: expect.any(String),
      });
      expect(answer.body.error.message).toContain(field);
    };

    it('is refused when a field is missing, of another type, too long or unknown', () =>
      untouched(async () => {
        for (const field of required) {
          const { [field]: _, ...rest_ } = valid;
          refused(await send(rest_), field);
          for (const [, value] of SPOILED) refused(await send({ ...valid, [field]: value }), field);
        }
        for (const [field, max] of Object.entries(long)) {
          const answer = await send({ ...valid, [field]: 'x'.repeat(max + 1) });
          refused(answer, field);
          expect(answer.body.error.message).toContain(String(max));
        }
        refused(await send({ ...valid, surprise: 1 }), 'surprise');
      }));

    it('is refused when an optional field has a wrong value', () =>
      untouched(async () => {
        for (const [field, values] of Object.entries(optional)) {
          for (const value of values) refused(await send({ ...valid, [field]: value }), field);
        }
      }));

    it('is refused when the body is no JSON, nested too deep or too large', () =>
      untouched(async () => {
        expect((await send('{{{')).status).toBe(400);
        expect((await send(`{"title": ${nested(100)}}`)).status).toBe(400);
        const large = await send(JSON.stringify({ title: 'x'.repeat(2 * 1024 * 1024) }));
        expect(large.status).toBe(413);
        expect(large.body.error.message).toContain('1048576');
      }));

    it('is refused without a token and with a wrong one', () =>
      untouched(async () => {
        for (const wrong of wrongTokens()) expect((await rest(wrong, method, path, valid)).status).toBe(401);
      }));
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
  ])('GET %s is refused and names %s', async (path, field) => {
    const { status, body } = await rest(token, 'GET', path);
    expect(status).toBe(400);
    expect(body.error.message).toContain(field);
  });

  it.each(['workspaces', 'folders', `folders/${ID}`, 'tokens', 'items', `items/${ID}`, 'ops', 'projections', 'status'])(
    'GET /%s is refused without a token and with a wrong one',
    async (path) => {
      for (const wrong of wrongTokens()) expect((await rest(wrong, 'GET', `/${path}`)).status).toBe(401);
    },
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
