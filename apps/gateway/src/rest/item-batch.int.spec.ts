import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE,
  BATCH_ITEMS_MAX,
  BATCH_ITEMS_WAITING_PER_WORKSPACE,
  BODY_BYTES_MAX,
  COMMANDS_IN_FLIGHT_PER_WORKSPACE,
  fail,
} from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import { startGatewayUnderTest, type GatewayUnderTest } from '../gateway-under-test.harness.js';
import { ItemBatchAnswer } from './answer.schema.js';

/** JSON from the wire, loosely typed for assertions. */
type Loose = ReturnType<typeof JSON.parse>;

let gateway: GatewayUnderTest;
let admin: string;
beforeAll(async () => {
  gateway = await startGatewayUnderTest();
  admin = gateway.services.issue({}, true);
});
afterAll(() => gateway.stop());
afterEach(() => gateway.services.faults.clear());

const post = async (path: string, body: unknown, headers: Record<string, string> = {}, token = admin) => {
  const response = await gateway.post(body, { token, headers, path: `/api/v1${path}` });
  return { status: response.status, headers: response.headers, body: (await response.json()) as Loose };
};

const batch = (items: unknown, headers: Record<string, string> = {}, token = admin) =>
  post('/items:batch', { items }, headers, token);

const read = async (id: string): Promise<Loose> => {
  const response = await fetch(`${gateway.url}/api/v1/items/${id}`, { headers: { authorization: `Bearer ${admin}` } });
  return response.json();
};

const newItems = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ title: `Item ${i}`, text: `Text ${i}.`, idempotencyKey: uuidV7() }));
const idsOf = ({ body }: { body: Loose }): string[] => body.results.map(({ id }: Loose) => id);
const commands = (): number => gateway.services.seen.filter(({ type }) => type === 'item.store').length;

describe('a batch', () => {
  it('stores its items and answers for each of them in order, as a single request would', async () => {
    const answer = await batch(newItems(BATCH_ITEMS_MAX));
    expect(answer.status).toBe(200);
    expect(ItemBatchAnswer.safeParse(answer.body).error).toBeUndefined();
    const single = await post('/items', { title: 'Alone', text: 'Text.' });
    expect(Object.keys(answer.body.results[7])).toEqual(Object.keys(single.body));
    expect(new Set(idsOf(answer)).size).toBe(BATCH_ITEMS_MAX);
    expect(await read(idsOf(answer)[7]!)).toMatchObject({ title: 'Item 7', content: 'Text 7.', kind: 'document' });
  });

  it('answers the same ids when it is sent again, and stores nothing twice', async () => {
    const items = newItems(5);
    const first = idsOf(await batch(items));
    expect(idsOf(await batch(items))).toEqual(first);
    expect(idsOf(await batch([...items].reverse()))).toEqual([...first].reverse());
    const { idempotencyKey, ...alone } = items[2]!;
    expect((await post('/items', alone, { 'idempotency-key': idempotencyKey })).body.id).toBe(first[2]);
  });

  it('stores only the items that are missing when it is sent again after half of it has failed', async () => {
    const items = newItems(6);
    let calls = 0;
    gateway.services.faults.set('item.store', async () => {
      if (calls++ % 2 === 1) throw fail('oplog.unavailable', 'the op-log did not acknowledge the write; try again');
    });
    const half = await batch(items);
    const failed = half.body.results.filter(({ error }: Loose) => error);
    expect(failed).toHaveLength(3);
    expect(failed[0].error).toMatchObject({ status: 503, code: 'oplog.unavailable' });
    gateway.services.faults.clear();
    const all = idsOf(await batch(items));
    expect(all).not.toContain(undefined);
    expect(idsOf(half).filter((id) => id)).toEqual(all.filter((id) => idsOf(half).includes(id)));
    expect(idsOf(await batch(items))).toEqual(all);
  });

  it('takes one Idempotency-Key for the items without a key of their own', async () => {
    const [headers, items] = [{ 'idempotency-key': uuidV7() }, newItems(3).map(({ title, text }) => ({ title, text }))];
    const first = idsOf(await batch(items, headers));
    expect(idsOf(await batch(items, headers))).toEqual(first);
    expect(idsOf(await batch(items))).not.toContain(first[0]);
  });

  it('answers two items with the same key as one', async () => {
    const [item] = newItems(1);
    const [first, second] = idsOf(await batch([item, item]));
    expect(second).toBe(first);
  });

  it('stores the text of a file as an upload of it would, under the same key', async () => {
    const [key, source] = [uuidV7(), { kind: 'file', name: 'notes/plan.md' }];
    const item = { title: 'plan', text: '# Plan\n', format: 'md', source, tags: ['a'], idempotencyKey: key };
    const [id] = idsOf(await batch([item]));
    expect(await read(id!)).toMatchObject({ kind: 'file', format: 'md', source, title: 'plan' });
    const form = new FormData();
    form.append('source', JSON.stringify({ name: 'notes/plan.md' }));
    form.append('tags', 'a');
    form.append('file', new Blob(['# Plan\r\n']), 'plan.md');
    const response = await fetch(`${gateway.url}/api/v1/items`, {
      method: 'POST',
      headers: { authorization: `Bearer ${admin}`, 'idempotency-key': key },
      body: form,
    });
    expect(await response.json()).toMatchObject({ id });
  });

  const refusedAlone = async (bad: unknown): Promise<Loose> => {
    const [before, after] = newItems(2);
    const { status, body } = await batch([before, bad, after]);
    expect([status, idsOf({ body }).map((id) => id !== undefined)]).toEqual([200, [true, false, true]]);
    return body.results[1].error;
  };

  it.each<[string, unknown]>([
    ['no text', { title: 't' }],
    ['a blank text', { title: 't', text: ' ' }],
    ['a title of 501', { title: 'x'.repeat(501), text: 'x' }],
    ['a tag that is not kebab-case', { title: 't', text: 'x', tags: ['a b'] }],
    ['another source kind', { title: 't', text: 'x', source: { kind: 'rumour' } }],
    ['a NUL character', { title: 'a\u0000', text: 'x' }],
    ['a lone surrogate', { title: 't', text: 'a\udc00' }],
    ['a past expiry', { title: 't', text: 'x', expiresAt: '2020-01-01T00:00:00Z' }],
    ['an unknown folder', { title: 't', text: 'x', folderId: uuidV7() }],
  ])('refuses only the item with %s, with the error of a single request and its place', async (_, bad) => {
    const error = await refusedAlone(bad);
    const { status, body } = await post('/items', bad);
    const { field, message, correlationId: __, ...same } = body.error;
    expect(error).toEqual({
      ...same,
      status,
      field: `items[1].${field}`,
      message: `items[1]: ${message}`,
      correlationId: expect.any(String),
    });
  });

  it.each<[string, object]>([
    ['idempotencyKey', { idempotencyKey: 'x' }],
    ['format', { format: 'pdf' }],
    ['colour', { colour: 'red' }],
  ])('refuses only the item whose %s is wrong', async (field, wrong) => {
    const error = await refusedAlone({ title: 't', text: 'x', ...wrong });
    expect(error).toMatchObject({ status: 400, code: 'input.invalid', field: `items[1].${field}` });
    expect(error.message).toContain(`items[1]: ${field} `);
  });

  it.each([null, 42, 'x', [], true])('refuses only the item that is %j', async (bad) => {
    const { body } = await batch([bad, newItems(1)[0]]);
    expect(body.results).toMatchObject([{ error: { status: 400, field: 'items[0]' } }, { id: expect.any(String) }]);
    expect(body.results[0].error.message).toContain('items[0]');
  });

  it.each<[string, unknown, number, string, unknown]>([
    ['no list', {}, 400, 'items', undefined],
    ['something else than a list', { items: 'x' }, 400, 'items', undefined],
    ['an empty list', { items: [] }, 400, 'items', 1],
    ['too many items', { items: newItems(BATCH_ITEMS_MAX + 1) }, 400, 'items', BATCH_ITEMS_MAX],
    ['another field', { items: newItems(1), colour: 'red' }, 400, 'colour', undefined],
    ['too many bytes', { items: [{ title: 't', text: 'x'.repeat(BODY_BYTES_MAX) }] }, 413, 'body', BODY_BYTES_MAX],
    ['a NUL character beside its items', { items: newItems(1), colour: 'a\u0000' }, 400, 'colour', undefined],
  ])('with %s is refused whole, and nothing is stored', async (_, body, status, field, limit) => {
    const before = commands();
    const refused = await post('/items:batch', body);
    expect([refused.status, refused.body.error.field, refused.body.error.limit]).toEqual([status, field, limit]);
    expect(commands()).toBe(before);
  });

  it('is served under its literal path only', async () => {
    const statusOf = async (path: string) => (await post(path, { items: newItems(1) })).status;
    for (const path of ['/items:other', '/itemsbatch', '/items:batch/', '/items:BATCH'])
      expect([path, await statusOf(path)]).toEqual([path, 404]);
    const wrong = await fetch(`${gateway.url}/api/v1/items:batch`, { headers: { authorization: `Bearer ${admin}` } });
    expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'POST']);
  });

  it('answers something unexpected about one item with no more than its correlation id', async () => {
    gateway.services.faults.set('item.store', () => Promise.reject(new Error('a secret of the machine')));
    const { body } = await batch(newItems(1));
    expect(body.results[0].error).toMatchObject({ status: 500, code: 'internal.defect' });
    expect(JSON.stringify(body)).not.toContain('secret');
  });
});

describe('batches of one workspace', () => {
  /** Commands wait until they are let through. */
  const holdCommands = () => {
    const waiting: (() => void)[] = [];
    let isOpen = false;
    gateway.services.faults.set('item.store', () =>
      isOpen ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve)),
    );
    const open = (): void => {
      isOpen = true;
      for (const go of waiting) go();
    };
    return { waiting, open };
  };

  const until = async (check: () => boolean): Promise<void> => {
    while (!check()) await new Promise((resolve) => setTimeout(resolve, 5));
  };

  it('leave room for single requests, and are refused whole when too many items wait', async () => {
    const { waiting, open } = holdCommands();
    const count = 1 + Math.ceil((BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE + BATCH_ITEMS_WAITING_PER_WORKSPACE) / 100);
    const batches = Array.from({ length: count }, () => batch(newItems(BATCH_ITEMS_MAX)));
    await until(() => waiting.length >= BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE);
    const refused = await Promise.race(batches);
    expect([refused.status, refused.body.error.code, refused.headers.get('retry-after')]).toEqual([429, 'busy', '1']);
    expect(waiting).toHaveLength(BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE);
    const free = COMMANDS_IN_FLIGHT_PER_WORKSPACE - BATCH_ITEMS_IN_FLIGHT_PER_WORKSPACE;
    const singles = Array.from({ length: free }, () => post('/items', { title: 't', text: 'x' }));
    await until(() => waiting.length === COMMANDS_IN_FLIGHT_PER_WORKSPACE);
    open();
    for (const { status } of await Promise.all(singles)) expect(status).toBe(201);
    const answers = await Promise.all(batches);
    const stored = answers.filter(({ status }) => status === 200);
    for (const { body } of stored) expect(body.results.filter(({ error }: Loose) => error)).toEqual([]);
    expect(stored.length).toBeGreaterThanOrEqual(Math.floor(BATCH_ITEMS_WAITING_PER_WORKSPACE / 100));
  });
});
