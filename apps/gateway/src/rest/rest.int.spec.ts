import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import { ensureStreams } from '@cairn/op-log';
import { type z } from 'zod';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';
import { REST_CONTROLLERS } from './rest-controllers.js';
import { operationsOf } from './rest-operations.js';

const OPERATIONS = operationsOf(REST_CONTROLLERS);

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

let gateway: GatewayUnderTest;
let admin: string;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  // The clock for the daily token quota.
  await ensureStreams(gateway.nats);
  admin = gateway.services.issue({}, true);
});
afterAll(() => gateway.stop());

interface Options {
  readonly body?: unknown;
  readonly token?: string | null;
  readonly headers?: Record<string, string>;
}

const send = async (method: string, path: string, { body, token = admin, headers = {} }: Options = {}) => {
  const response = await fetch(`${gateway.url}/api/v1${path}`, {
    method,
    headers: {
      ...(token ? { authorization: `Bearer ${token}` } : {}),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
};

const newFolder = async (): Promise<string> => {
  const slug = `folder-${uuidV7()}`;
  return (await send('POST', '/folders', { body: { slug, name: slug } })).body.id;
};

/** Also checks the answer against its schema in the OpenAPI document. */
const fits = (method: string, path: string, answer: unknown): void => {
  const operation = OPERATIONS.find((one) => one.method === method && one.path === `/api/v1${path}`);
  expect((operation?.answer as z.ZodType).safeParse(answer).error).toBeUndefined();
};

describe('items', () => {
  it('are stored, listed page by page and read back', async () => {
    const ids: string[] = [];
    for (let i = 0; i < 3; i++) {
      const stored = await send('POST', '/items', { body: { title: `T${i}`, text: 'text', tags: ['A-b'] } });
      expect(stored.status).toBe(201);
      expect(stored.body).toMatchObject({ embeddingStatus: 'pending', chunkIds: [expect.any(String)] });
      fits('POST', '/items', stored.body);
      ids.unshift(stored.body.id);
    }
    const first = await send('GET', '/items?limit=2');
    fits('GET', '/items', first.body);
    const second = await send('GET', `/items?limit=2&cursor=${first.body.nextCursor}`);
    const listed = [...first.body.items, ...second.body.items].map((item: { id: string }) => item.id);
    expect(listed.slice(0, 3)).toEqual(ids);
    const item = await send('GET', `/items/${ids[0]}`);
    fits('GET', '/items/{id}', item.body);
    expect(item.body).toMatchObject({ title: 'T2', kind: 'document', content: 'text', tags: ['a-b'], confidence: 100 });
    expect(item.body.source).toEqual({ kind: 'human' });
  });

  it.each([
    ['an unknown field', { title: 't', text: 'x', colour: 'red' }, 'colour'],
    ['no text', { title: 't' }, 'text'],
    ['a title of 501', { title: 'x'.repeat(501), text: 'x' }, 'title'],
    ['a tag that is not kebab-case', { title: 't', text: 'x', tags: ['a b'] }, 'tags[0]'],
    ['a NUL character', '{"title":"a\\u0000","text":"x"}', 'title'],
    ['a lone surrogate', '{"title":"a\\udc00","text":"x"}', 'title'],
    ['another source kind', { title: 't', text: 'x', source: { kind: 'rumour' } }, 'source.kind'],
    ['a folder that is not a uuid', { title: 't', text: 'x', folderId: 'x' }, 'folderId'],
  ])('are rejected with %s, naming the field', async (_, body, field) => {
    const refused = await send('POST', '/items', { body });
    expect(refused.status).toBe(400);
    expect(refused.body.error).toMatchObject({ code: 'input.invalid', field, correlationId: expect.any(String) });
  });

  it('are rejected with an expiry in the past', async () => {
    const refused = await send('POST', '/items', {
      body: { title: 't', text: 'x', expiresAt: '2020-01-01T00:00:00Z' },
    });
    expect([refused.status, refused.body.error.code]).toEqual([400, 'knowledge.expires_in_past']);
  });

  it('reject chunk-level search and any other unknown parameter', async () => {
    for (const parameter of ['q', 'query', 'search']) {
      const refused = await send('GET', `/items?${parameter}=x`);
      expect([refused.status, refused.body.error.field]).toEqual([400, parameter]);
    }
  });

  it.each([
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
    ['limit=99999999999999999999', 'limit'],
    ['limit=x', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['inKb=maybe', 'inKb'],
    ['kind=song', 'kind'],
    ['cursor=%ff', 'cursor'],
    ['cursor=50%', 'cursor'],
    ['%ff=1', 'query'],
  ])('reject %s and name %s', async (query, field) => {
    const refused = await send('GET', `/items?${query}`);
    expect([refused.status, refused.body.error.code]).toEqual([400, 'input.invalid']);
    expect(refused.body.error.field).toBe(field);
  });

  it.each([
    ['1.5', 'limit must be a whole number from 1 to 100'],
    ['x', 'limit must be a whole number from 1 to 100'],
    ['101', 'limit must be at most 100'],
    ['99999999999999999999', 'limit must be at most 100'],
  ])('state the expected number when limit is %s', async (limit, message) => {
    expect((await send('GET', `/items?limit=${limit}`)).body.error.message).toBe(message);
  });

  it('are not found when unknown', async () => {
    const missing = await send('GET', `/items/${uuidV7()}`);
    expect([missing.status, missing.body.error.code]).toEqual([404, 'item.not_found']);
  });
});

describe('changing an item', () => {
  const stored = async (): Promise<string> =>
    (await send('POST', '/items', { body: { title: 'Before', text: 'text', tags: ['a'] } })).body.id;
  const updates = () => gateway.services.seen.filter(({ type }) => type === 'item.update');

  it('returns the changed item, without its text', async () => {
    const id = await stored();
    const folderId = await newFolder();
    const body = { folderId, inKb: false, title: 'After', tags: ['B-c'] };
    const headers = { 'idempotency-key': uuidV7() };
    const changed = await send('PATCH', `/items/${id}`, { body, headers });
    fits('PATCH', '/items/{id}', changed.body);
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({ ...body, id, tags: ['b-c'], position: expect.any(Number) });
    expect(changed.body).not.toHaveProperty('content');
    expect(updates().at(-1)?.request).toMatchObject({
      id: headers['idempotency-key'],
      data: { itemId: id, ...body, tags: ['b-c'] },
    });
  });

  it.each<[string, unknown, string, unknown]>([
    ['nothing to change', {}, 'input', undefined],
    ['an unknown field', { text: 'new' }, 'text', undefined],
    ['a folder that is not a uuid', { folderId: 'x' }, 'folderId', undefined],
    ['null for a folder', { folderId: null }, 'folderId', undefined],
    ['a word for a flag', { inKb: 'no' }, 'inKb', undefined],
    ['no title', { title: '' }, 'title', 1],
    ['a title of 501', { title: 'x'.repeat(501) }, 'title', 500],
    ['a title that is not text', { title: 42 }, 'title', undefined],
    ['17 tags', { tags: Array.from({ length: 17 }, (_, i) => `t${i}`) }, 'tags', 16],
    ['a tag that is not kebab-case', { tags: ['a b'] }, 'tags[0]', undefined],
    ['a list', [], 'input', undefined],
  ])('is rejected with %s, naming the field and its limit, and sends nothing', async (_, body, field, limit) => {
    const before = updates().length;
    const { status, body: answer } = await send('PATCH', `/items/${uuidV7()}`, { body });
    expect([status, answer.error.code, answer.error.field, answer.error.limit]).toEqual([
      400,
      'input.invalid',
      field,
      limit,
    ]);
    expect(updates()).toHaveLength(before);
  });

  it('is rejected without a body, with an invalid id, and without the write scope', async () => {
    expect((await send('PATCH', `/items/${uuidV7()}`)).status).toBeGreaterThanOrEqual(400);
    const malformed = await send('PATCH', '/items/x', { body: { inKb: true } });
    expect([malformed.status, malformed.body.error.field]).toEqual([400, 'id']);
    const token = gateway.services.issue({ scopes: ['read'] });
    expect((await send('PATCH', `/items/${await stored()}`, { body: { inKb: true }, token })).status).toBe(404);
  });
});

describe('quotas', () => {
  it('can be read and set by an admin', async () => {
    const set = await send('PUT', '/quotas/knowledge_stored', { body: { limit: 5 } });
    fits('PUT', '/quotas/knowledge_stored', set.body);
    expect([set.status, set.body]).toEqual([200, { limit: 5, used: 0, position: expect.any(Number) }]);
    const shown = await send('GET', '/quotas');
    fits('GET', '/quotas', shown.body);
    expect(shown.body).toMatchObject({ knowledge_stored: { limit: 5, used: 0 } });
    expect((await send('PUT', '/quotas/knowledge_stored', { body: { limit: null } })).body.limit).toBeNull();
  });

  it.each<[string, unknown, string, unknown]>([
    ['no limit', {}, 'limit', undefined],
    ['less than nothing', { limit: -1 }, 'limit', 0],
    ['more than can be counted', { limit: 1_000_000_001 }, 'limit', 1_000_000_000],
    ['a fraction', { limit: 1.5 }, 'limit', undefined],
    ['a word', { limit: '5' }, 'limit', undefined],
    ['an unknown field', { limit: 5, used: 0 }, 'used', undefined],
  ])('cannot be set with %s', async (_, body, field, limit) => {
    const { status, body: answer } = await send('PUT', '/quotas/knowledge_stored', { body });
    expect([status, answer.error.field, answer.error.limit]).toEqual([400, field, limit]);
  });

  it('are not found by a token without the admin scope, and neither is an unknown quota', async () => {
    const token = gateway.services.issue({ scopes: ['read', 'write'] });
    expect((await send('GET', '/quotas', { token })).status).toBe(404);
    expect((await send('PUT', '/quotas/knowledge_stored', { body: { limit: 1 }, token })).status).toBe(404);
    expect((await send('PUT', '/quotas/disk_space', { body: { limit: 1 } })).status).toBe(404);
  });
});

describe('the Idempotency-Key', () => {
  it('becomes the command’s id, and gives a repeated request the same ids', async () => {
    const key = uuidV7();
    const options = { body: { slug: 'notes', name: 'Notes' }, headers: { 'idempotency-key': key } };
    await send('POST', '/folders', options);
    await send('POST', '/folders', options);
    const commands = gateway.services.seen.filter(({ type }) => type === 'folder.create').slice(-2);
    expect(commands.map(({ request }) => request.id)).toEqual([key, key]);
    expect(commands[0]?.request.data).toEqual(commands[1]?.request.data);
  });

  it('must be a uuid', async () => {
    const refused = await send('POST', '/folders', {
      body: { slug: 'x', name: 'X' },
      headers: { 'idempotency-key': 'again' },
    });
    expect([refused.status, refused.body.error.field]).toEqual([400, 'Idempotency-Key']);
  });
});

describe('folders', () => {
  it('are created with their defaults, read and changed', async () => {
    const made = await send('POST', '/folders', { body: { slug: 'work-notes', name: 'Work notes' } });
    expect(made.status).toBe(201);
    fits('POST', '/folders', made.body);
    expect(made.body).toMatchObject({
      tier: 'personal',
      maxTokensPerRecall: null,
      readme: '',
      position: expect.any(Number),
    });
    const changed = await send('PATCH', `/folders/${made.body.id}`, { body: { tier: 'sensitive', name: 'Private' } });
    expect(changed.body).toMatchObject({ tier: 'sensitive', name: 'Private', slug: 'work-notes' });
    expect((await send('GET', `/folders/${made.body.id}`)).body.name).toBe('Private');
    expect((await send('GET', '/folders')).body.items.length).toBeGreaterThan(0);
  });

  it('are not changed by an empty body, and the error names the fields that can be changed', async () => {
    const sent = gateway.services.seen.length;
    const { status, body } = await send('PATCH', `/folders/${uuidV7()}`, { body: {} });
    expect([status, body.error.code, body.error.field]).toEqual([400, 'input.invalid', 'input']);
    for (const field of ['name', 'tier', 'maxTokensPerRecall', 'readme']) expect(body.error.message).toContain(field);
    expect(gateway.services.seen.slice(sent).filter(({ type }) => type === 'folder.configure')).toEqual([]);
  });
});

describe('tokens', () => {
  it('are issued with a secret that works, listed without it, and revoked', async () => {
    const body = { name: 'agent', scopes: ['read'], isUnscoped: true };
    const issued = await send('POST', '/tokens', { body });
    expect(issued.status).toBe(201);
    fits('POST', '/tokens', issued.body);
    expect(issued.body).toMatchObject({ scopes: ['read'], rateLimitPerHour: 1000, kbOnly: false, folderIds: [] });
    expect(issued.body.toolsets).toEqual(['knowledge_base', 'memory', 'knowledge', 'graph', 'external']);
    const days = (Date.parse(issued.body.expiresAt) - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBe(365);
    expect((await send('GET', '/items', { token: issued.body.token })).status).toBe(200);
    const listed = await send('GET', '/tokens');
    fits('GET', '/tokens', listed.body);
    expect(JSON.stringify(listed.body)).not.toContain(issued.body.token.slice(-30));
    const sent = gateway.services.seen.filter(({ type }) => type === 'token.issue').at(-1);
    expect(JSON.stringify(sent)).not.toContain(issued.body.token.slice(-51, -8));
    const revoked = await send('DELETE', `/tokens/${issued.body.id}`);
    expect([revoked.status, revoked.body]).toEqual([204, '']);
  });

  it.each([
    ['no scopes', { name: 'a', scopes: [], isUnscoped: true }, 'scopes'],
    [
      'a scope that cannot be granted',
      { name: 'a', scopes: ['knowledge:write_others'], isUnscoped: true },
      'scopes[0]',
    ],
    ['an agent id with a space', { name: 'a', scopes: ['read'], isUnscoped: true, agentId: 'a b' }, 'agentId'],
    ['a rate of 0', { name: 'a', scopes: ['read'], isUnscoped: true, rateLimitPerHour: 0 }, 'rateLimitPerHour'],
    ['an expiry that is not a time', { name: 'a', scopes: ['read'], isUnscoped: true, expiresAt: 'soon' }, 'expiresAt'],
    ['an unknown toolset', { name: 'a', scopes: ['read'], isUnscoped: true, toolsets: ['tasks'] }, 'toolsets[0]'],
    ['a folder that is not an id', { name: 'a', scopes: ['read'], folderIds: ['inbox'] }, 'folderIds[0]'],
    ['a field of its own', { name: 'a', scopes: ['read'], workspaceId: uuidV7() }, 'workspaceId'],
  ])('are rejected with %s', async (_, body, field) => {
    const refused = await send('POST', '/tokens', { body });
    expect([refused.status, refused.body.error.field]).toEqual([400, field]);
  });

  it('see nothing if neither folders nor the whole workspace is given, and everything if they are admin tokens', async () => {
    const reach = async (scopes: string[]) => {
      const { status, body } = await send('POST', '/tokens', { body: { name: 'a', scopes } });
      return [status, body.isUnscoped, body.folderIds];
    };
    expect(await reach(['read', 'write'])).toEqual([201, false, []]);
    expect(await reach(['read', 'admin'])).toEqual([201, true, []]);
  });

  it('contain a folder once, however often and in whichever case it is given', async () => {
    const id = await newFolder();
    const body = { name: 'a', scopes: ['write'], folderIds: [id, id.toUpperCase(), id] };
    expect((await send('POST', '/tokens', { body })).body.folderIds).toEqual([id]);
  });

  it('with the admin scope and a list of folders open no admin route', async () => {
    const token = gateway.services.issue({ scopes: ['admin'], isUnscoped: false, folderIds: [uuidV7()] });
    for (const path of ['/ops', '/tokens', '/projections', '/status'])
      expect((await send('GET', path, { token })).status).toBe(404);
    expect((await send('GET', '/folders', { token })).status).toBe(200);
  });

  it('can read their own rights and folders', async () => {
    const folderIds = [uuidV7()];
    const reader = gateway.services.issue({ scopes: ['read', 'write'], isUnscoped: false, folderIds, kbOnly: true });
    const { status, body } = await send('GET', '/whoami', { token: reader });
    fits('GET', '/whoami', body);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      scopes: ['read', 'write'],
      isAdmin: false,
      isUnscoped: false,
      folderIds,
      kbOnly: true,
    });
    expect((await send('GET', '/whoami')).body).toMatchObject({ isAdmin: true, isUnscoped: true });
    const halfAdmin = gateway.services.issue({ scopes: ['admin'], isUnscoped: false, folderIds });
    expect((await send('GET', '/whoami', { token: halfAdmin })).body.isAdmin).toBe(false);
  });

  it('are issued once per Idempotency-Key: a repeat reports that the secret was already shown', async () => {
    const options = { body: { name: 'once', scopes: ['read'] }, headers: { 'idempotency-key': uuidV7() } };
    expect((await send('POST', '/tokens', options)).status).toBe(201);
    const again = await send('POST', '/tokens', options);
    expect([again.status, again.body.error.code]).toEqual([409, 'idempotency.key_reused']);
  });

  it('have no rate limit if they are admin tokens', async () => {
    const issued = await send('POST', '/tokens', { body: { name: 'root', scopes: ['admin'], isUnscoped: true } });
    expect(issued.body.rateLimitPerHour).toBeNull();
  });
});

describe('workspaces', () => {
  it('are created by the first admin token, each with an admin token of its own', async () => {
    const made = await send('POST', '/workspaces', { body: { slug: 'second', name: 'Second' } });
    expect(made.status).toBe(201);
    fits('POST', '/workspaces', made.body);
    expect((await send('GET', '/workspaces')).body.items).toContainEqual(
      expect.objectContaining({ id: made.body.workspace.id, slug: 'second' }),
    );
    expect((await send('GET', '/items', { token: made.body.adminToken })).body.items).toEqual([]);
    expect((await send('GET', '/workspaces', { token: made.body.adminToken })).status).toBe(404);
    const command = gateway.services.seen.find(({ type }) => type === 'workspace.create');
    expect(command?.request).toMatchObject({
      principal: { workspaceId: made.body.workspace.id },
      data: { instanceAdmin: false },
    });
  });
});

describe('workspaces under an Idempotency-Key', () => {
  it('are created once: a repeat reports that the secret was already shown, whatever its body', async () => {
    const headers = { 'idempotency-key': uuidV7() };
    const made = await send('POST', '/workspaces', { body: { slug: 'third', name: 'Third' }, headers });
    expect(made.status).toBe(201);
    const count = (await send('GET', '/workspaces')).body.items.length;
    for (const slug of ['third', 'other']) {
      const again = await send('POST', '/workspaces', { body: { slug, name: 'Third' }, headers });
      expect([again.status, again.body.error.code]).toEqual([409, 'idempotency.key_reused']);
    }
    expect((await send('GET', '/workspaces')).body.items).toHaveLength(count);
    expect((await send('GET', '/items', { token: made.body.adminToken })).status).toBe(200);
  });

  it('are described in the OpenAPI document', async () => {
    const { paths } = (await send('GET', '/openapi.json', { token: null })).body;
    expect(paths['/api/v1/workspaces'].post.description).toContain('409');
    expect(paths['/api/v1/tokens'].post.description).toContain('409');
  });
});

describe('other routes', () => {
  it('show ops, projections and status to an admin', async () => {
    expect((await send('GET', '/ops?kind=ingest&from=2020-01-01T00:00:00Z')).body).toEqual({
      items: [],
      nextCursor: null,
    });
    expect((await send('GET', `/ops/${uuidV7()}`)).body.error.code).toBe('op.not_found');
    expect((await send('GET', '/projections')).body).toEqual({ items: [] });
    expect((await send('GET', '/status')).body.components[0]).toMatchObject({ name: 'gateway', ok: true });
  });

  const closed = OPERATIONS.filter(({ access }) => access !== 'anyone');
  it.each(closed.map((operation) => [`${operation.method} ${operation.path}`, operation] as const))(
    '%s is closed to unauthenticated callers, and not found for a token without its scope',
    async (_, { method, path, body }) => {
      const url = path.replace('/api/v1', '').replace('{id}', uuidV7());
      const options = body ? { body: {} } : {};
      const stranger = await send(method, url, { ...options, token: null });
      expect([stranger.status, stranger.body.error.code]).toEqual([401, 'auth.missing']);
      expect(stranger.headers.get('www-authenticate')).toContain('Bearer');
      const token = gateway.services.issue({ scopes: ['memory:forget'] });
      const outsider = await send(method, url, { ...options, token });
      expect([outsider.status, outsider.body.error.code]).toEqual([404, 'route.not_found']);
    },
  );

  it.each([
    ['an unknown route', 'GET', '/nothing', {}, 404, 'route.not_found'],
    ['the prefix alone', 'GET', '/', {}, 404, 'route.not_found'],
    ['a wrong method', 'PUT', '/items', {}, 405, 'route.method_not_allowed'],
    [
      'a form where JSON is asked for',
      'POST',
      '/folders',
      { body: 'x', headers: { 'content-type': 'multipart/form-data; boundary=x' } },
      415,
      'route.unsupported_media',
    ],
    [
      'another encoding',
      'POST',
      '/items',
      { body: 'x', headers: { 'content-encoding': 'gzip' } },
      415,
      'route.unsupported_media',
    ],
    ['bad JSON', 'POST', '/items', { body: '{' }, 400, 'input.malformed'],
    ['a body of 2 MiB', 'POST', '/items', { body: 'x'.repeat(2 * 1024 * 1024) }, 413, 'input.too_large'],
    ['an id that is not a uuid', 'GET', '/items/7', {}, 400, 'input.invalid'],
  ])('answer %s in one format', async (_, method, path, options, status, code) => {
    const refused = await send(method, path, options);
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    expect(refused.body.error.correlationId).toMatch(/^[0-9a-f-]{36}$/);
    if (status === 405) expect(refused.headers.get('allow')).toBe('POST, GET');
  });

  it('answer an unknown route and one outside the scopes of the token in the same words', async () => {
    const token = gateway.services.issue({ scopes: ['memory:forget'] });
    const answers = [await send('GET', '/nothing', { token }), await send('GET', '/tokens', { token })];
    const message = 'this route does not exist, or this token may not use it';
    expect(answers.map(({ body }) => body.error.message)).toEqual([message, message]);
  });

  it('answer a path outside the API in the same format', async () => {
    const response = await fetch(`${gateway.url}/somewhere/else`);
    expect([response.status, ((await response.json()) as Loose).error.code]).toEqual([404, 'route.not_found']);
  });

  it('do not reveal the text of an unexpected error', async () => {
    gateway.services.faults.set('items.list', async () => {
      throw new Error('select * from secrets');
    });
    const failed = await send('GET', '/items');
    gateway.services.faults.delete('items.list');
    expect([failed.status, failed.body.error.code]).toEqual([500, 'internal.defect']);
    expect(JSON.stringify(failed.body)).not.toContain('secrets');
  });

  it("serve an OpenAPI 3.1 document of exactly the controllers' operations, and a page that shows it", async () => {
    const document = (await send('GET', '/openapi.json', { token: null })).body;
    expect(document.openapi).toBe('3.1.0');
    const listed = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods as object).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(listed.sort()).toEqual(OPERATIONS.map(({ method, path }) => `${method} ${path}`).sort());
    expect(document.paths['/api/v1/items'].post.requestBody.content['application/json'].schema).toMatchObject({
      additionalProperties: false,
      required: ['title', 'text'],
      properties: { inKb: { default: true } },
    });
    const page = await send('GET', '/docs', { token: null });
    expect(page.body).toContain('POST /api/v1/items');
    expect(page.body).not.toContain('<script');
  });
});

describe('health', () => {
  it('reports liveness, readiness and metrics', async () => {
    expect((await fetch(`${gateway.url}/healthz`)).status).toBe(200);
    expect(await (await fetch(`${gateway.url}/readyz`)).json()).toEqual({ status: 'ready', notes: [] });
    expect(await (await fetch(`${gateway.url}/metrics`)).text()).toContain('cairn_mcp_operation_duration_seconds');
  });
});
