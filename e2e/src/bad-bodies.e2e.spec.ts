import { beforeAll, describe, expect, it } from '@jest/globals';
import { BODY_BYTES_MAX, ITEM_TEXT_CHARS_MAX, JSON_DEPTH_MAX, JSON_NODES_MAX } from '@cairn/contracts';
import { forEachAtOnce, processStart } from './bad-input-operations.js';
import { newWorld, ROUTE_ROWS, type World } from './bad-input-table.js';
import { isInternal } from './hostile-text.js';
import { BARE_CALLS, BARE_ERAS, callRpc, rest, rpc, underTest } from './under-test.js';

const ID = '00000000-0000-7000-8000-000000000000';
const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
const TOO_LARGE = 'x'.repeat(2 * 1024 * 1024);

interface Refusal {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly limit?: number;
}

/** Sends a body unchanged, whatever its declared type. */
const post = async (
  { method, path, token }: { readonly method: string; readonly path: string; readonly token: string },
  body: string | Uint8Array | ReadableStream,
  headers: Record<string, string> = {},
): Promise<Refusal> => {
  const response = await fetch(underTest.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
    body,
    duplex: 'half',
  });
  const raw = await response.text();
  expect(isInternal(raw)).toBe(false);
  const { error } = JSON.parse(raw);
  return { status: response.status, ...error, ...error.data };
};

/** Sent piece by piece, without a declared length. */
const streamed = (text: string): ReadableStream => new Blob([text]).stream();

/** Routes that read no body, and one that only reads a form. */
const WITHOUT_JSON: ReadonlySet<string> = new Set([
  'POST /accounts/{id}/sync',
  'POST /accounts/{id}/import',
  'POST /mcp-servers/{id}/refresh',
]);

const BODY_ROUTES = Object.keys(ROUTE_ROWS)
  .filter((name) => !WITHOUT_JSON.has(name))
  .filter((name) => /^(POST|PUT|PATCH) \S+$/.test(name))
  .map((name) => name.split(' ') as [string, string]);

const ENDPOINTS: [string, string][] = [
  ...BODY_ROUTES.map(([method, path]): [string, string] => [method, `/api/v1${path.replace('{id}', ID)}`]),
  ['POST', '/mcp'],
  ['POST', `/mcp/messages?sessionId=${ID}`],
];

const REFUSED: [string, string | Uint8Array, Partial<Refusal>][] = [
  ['nothing', '', { status: 400, field: 'body' }],
  ['no JSON', '{{{', { status: 400, field: 'body' }],
  ['JSON with more behind it', '{} {}', { status: 400, field: 'body' }],
  ['no UTF-8', new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), { status: 400, field: 'body' }],
  ['a text', '"x"', { status: 400 }],
  ['a number', '42', { status: 400 }],
  ['null', 'null', { status: 400 }],
  ['a list', '[]', { status: 400 }],
  ['a prototype', '{"__proto__": {"isAdmin": true}}', { status: 400 }],
  ['a name with a NUL', '{"a\\u0000": 1}', { status: 400 }],
  ['what is nested too deep', `{"a":${nested(JSON_DEPTH_MAX)}}`, { status: 400, limit: JSON_DEPTH_MAX }],
  ['what is nested far too deep', nested(100_000), { status: 400, limit: JSON_DEPTH_MAX }],
  ['too many values', `[${'0,'.repeat(JSON_NODES_MAX)}0]`, { status: 400, limit: JSON_NODES_MAX }],
  ['too many bytes', `{"a":"${TOO_LARGE}"}`, { status: 413, field: 'body', limit: BODY_BYTES_MAX }],
];

const MEDIA: [string, Record<string, string>, string][] = [
  ['another type', { 'content-type': 'text/plain' }, 'Content-Type'],
  ['the type of a form of the web', { 'content-type': 'application/x-www-form-urlencoded' }, 'Content-Type'],
  ['another charset', { 'content-type': 'application/json; charset=utf-16' }, 'Content-Type'],
  ['an encoding', { 'content-encoding': 'gzip' }, 'Content-Encoding'],
];

describe('a bad body', () => {
  let world: World;
  let token: string;

  beforeAll(async () => {
    world = await newWorld();
    // The token of the whole installation, since one of the routes needs it; nothing below is ever accepted.
    token = underTest.token;
  });

  const untouched = async (act: () => Promise<void>): Promise<void> => {
    const newest = async () => (await rest(token, 'GET', '/ops?limit=1')).body.items[0].id;
    const before = [await newest(), await processStart()];
    await act();
    expect([await newest(), await processStart()]).toEqual(before);
  };

  describe.each(ENDPOINTS)('to %s %s', (method, path) => {
    const endpoint = () => ({ method, path, token });

    it('is rejected, whatever is wrong with it', () =>
      untouched(() =>
        forEachAtOnce(REFUSED, async ([what, body, refusal]) => {
          const answer = await post(endpoint(), body);
          expect({ what, ...answer }).toMatchObject({ what, ...refusal });
          if (refusal.limit !== undefined) expect(answer.message).toContain(String(refusal.limit));
        }),
      ));

    it('of too many bytes is also rejected when no length was declared', () =>
      untouched(async () => {
        const answer = await post(endpoint(), streamed(`{"a":"${TOO_LARGE}"}`));
        expect(answer).toMatchObject({ status: 413, field: 'body', limit: BODY_BYTES_MAX });
      }));

    it('of another type, charset or encoding is rejected', () =>
      untouched(() =>
        forEachAtOnce(MEDIA, async ([what, headers, field]) => {
          expect({ what, ...(await post(endpoint(), '{}', headers)) }).toMatchObject({ what, status: 415, field });
        }),
      ));
  });

  it('is limited by its bytes, not by its characters: half a million characters fit', async () => {
    const text = 'lorem ipsum '.repeat(ITEM_TEXT_CHARS_MAX).slice(0, ITEM_TEXT_CHARS_MAX);
    const stored = await rest(world.token, 'POST', '/items', { title: 'Long', text, inKb: false });
    expect((await rest(world.token, 'GET', `/items/${stored.body.id}`)).body.content).toBe(text);
    const added = await callRpc(world.token, 'add_to_knowledge', { kind: 'text', text, in_kb: false });
    const { itemId } = added.body.result.structuredContent;
    expect((await rest(world.token, 'GET', `/items/${itemId}`)).body.content).toBe(text);
    const longer = await rest(world.token, 'POST', '/items', { title: 'Long', text: `${text}x`, inKb: false });
    expect(longer.body.error).toMatchObject({ field: 'text', limit: ITEM_TEXT_CHARS_MAX });
  });

  it('of a text in a wide script is rejected for its bytes, and the same text is accepted as a file', async () => {
    const text = '😀'.repeat(ITEM_TEXT_CHARS_MAX);
    const refused = await rest(world.token, 'POST', '/items', { title: 'Wide', text, inKb: false });
    expect(refused.status).toBe(413);
    expect(refused.body.error).toMatchObject({ code: 'input.too_large', field: 'body', limit: BODY_BYTES_MAX });
    expect(refused.body.error.message).toContain(String(BODY_BYTES_MAX));
    const form = new FormData();
    form.append('file', new Blob([text]), 'wide.txt');
    form.append('inKb', 'false');
    const stored = await fetch(`${underTest.url}/api/v1/items`, {
      method: 'POST',
      headers: { authorization: `Bearer ${world.token}` },
      body: form,
    });
    const { id } = (await stored.json()) as { id: string };
    expect((await rest(world.token, 'GET', `/items/${id}`)).body.content).toBe(text);
  });

  it('with a duplicate field is read as JSON usually is: the last value counts, and is the one that is checked', async () => {
    const send = (titles: string) => rest(world.token, 'POST', '/items', `{${titles},"text":"x","inKb":false}`);
    const { id } = (await send('"title":"first","title":"second"')).body;
    expect((await rest(world.token, 'GET', `/items/${id}`)).body.title).toBe('second');
    expect((await send('"title":"first","title":42')).body.error).toMatchObject({ field: 'title' });
  });

  describe.each(BARE_ERAS)('to a tool in the %s', (era) => {
    it.each([[[]], ['x'], [42], [null], [true]])('of %j as its arguments is rejected', (args) =>
      untouched(async () => {
        const { status, body } = await BARE_CALLS[era]!(token, 'store_knowledge', args);
        expect(status).toBeLessThan(500);
        expect(body.error ?? body.result.structuredContent).toMatchObject({ message: expect.any(String) });
        expect(body.error !== undefined || body.result.isError).toBe(true);
      }),
    );
  });

  it('may have an id of the maximum number of characters, however many bytes they take', async () => {
    const id = '😀'.repeat(256);
    const { body } = await rpc(world.token, { jsonrpc: '2.0', id, method: 'tools/list' });
    expect(body).toMatchObject({ id, result: { tools: expect.any(Array) } });
  });

  it.each(Object.keys(ROUTE_ROWS).filter((name) => name !== 'POST /sign-in' && !name.endsWith('(form)')))(
    'or a good one to %s is rejected without a token',
    async (name) => {
      const [method, path] = name.split(' ') as [string, string];
      const { status } = await fetch(`${underTest.url}/api/v1${path.replace('{id}', ID)}`, { method });
      expect(status).toBe(401);
    },
  );
});
