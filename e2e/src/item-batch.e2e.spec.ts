import { randomUUID } from 'node:crypto';
import { beforeAll, describe, expect, it } from '@jest/globals';
import { callRpc, newWorkspace, rest, underTest } from './under-test.js';

const newItems = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    title: `Note ${i}`,
    text: `The text of note number ${i}.`,
    idempotencyKey: randomUUID(),
  }));

const idsOf = (results: readonly any[]): (string | undefined)[] => results.map(({ id }) => id);

describe('a batch of items', () => {
  let admin: string;
  beforeAll(async () => {
    admin = (await newWorkspace()).token;
  });

  const batch = async (items: readonly unknown[], headers: Record<string, string> = {}): Promise<any[]> => {
    const { status, body } = await rest(admin, 'POST', '/items:batch', { items }, headers);
    expect([status, body.results.length]).toEqual([200, items.length]);
    return body.results;
  };

  const count = async (): Promise<number> => {
    let [total, cursor]: [number, string | null] = [0, ''];
    while (cursor !== null) {
      const { body } = await rest(admin, 'GET', `/items?limit=100${cursor && `&cursor=${cursor}`}`);
      total += body.items.length;
      cursor = body.nextCursor;
    }
    return total;
  };

  it('is stored in full, and each of its items is found with the next call', async () => {
    const items = newItems(100);
    const results = await batch(items);
    expect(new Set(idsOf(results)).size).toBe(100);
    for (const i of [0, 57, 99])
      expect((await rest(admin, 'GET', `/items/${results[i].id}`)).body).toMatchObject({
        title: `Note ${i}`,
        content: `The text of note number ${i}.`,
      });
    const { result } = (await callRpc(admin, 'search_knowledge_base', { query: 'note number', mode: 'keyword' })).body;
    expect(result.structuredContent.hits.length).toBeGreaterThan(0);
  });

  it('is answered with the same ids when it is sent again, whichever of its items were refused before', async () => {
    const items = newItems(20);
    const spoiled = items.map((item, i) => (i % 3 === 0 ? { ...item, tags: ['not a tag'] } : item));
    const before = await count();
    const first = await batch(spoiled);
    expect(first.filter(({ error }) => error).map(({ error }) => error.field)).toEqual(
      [0, 3, 6, 9, 12, 15, 18].map((i) => `items[${i}].tags[0]`),
    );
    expect(await count()).toBe(before + 13);
    const all = idsOf(await batch(items));
    expect(idsOf(first).map((id, i) => id ?? all[i])).toEqual(all);
    expect(idsOf(await batch(items))).toEqual(all);
    expect(await count()).toBe(before + 20);
  });

  it('is stored once when it is sent several times at once', async () => {
    const items = newItems(50);
    const before = await count();
    const answers = await Promise.all([1, 2, 3, 4].map(() => batch(items)));
    expect(new Set(answers.map((results) => idsOf(results).join())).size).toBe(1);
    expect(await count()).toBe(before + 50);
  });

  it('refuses only an item whose key was used for another one', async () => {
    const [first, second] = newItems(2);
    const [stored] = await batch([first]);
    const results = await batch([first, { ...first, text: 'Another text.' }, second]);
    expect(results).toMatchObject([
      { id: stored.id },
      { error: { status: 409, code: 'idempotency.key_reused', field: 'items[1].idempotencyKey' } },
      { id: expect.any(String) },
    ]);
    const { idempotencyKey, ...alone } = second!;
    const single = await rest(admin, 'POST', '/items', alone, { 'idempotency-key': idempotencyKey });
    expect([single.status, single.body]).toEqual([201, results[2]]);
  });

  it('takes the Idempotency-Key of the request for the items without one', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const items = newItems(3).map(({ title, text }) => ({ title, text }));
    const first = idsOf(await batch(items, headers));
    expect(idsOf(await batch(items, headers))).toEqual(first);
    const changed = await batch([items[0], { ...items[1], text: 'Another text.' }], headers);
    expect(changed).toMatchObject([{ id: first[0] }, { error: { code: 'idempotency.key_reused' } }]);
  });

  it('stores the text of a file as an upload would, so that either is a repeat of the other', async () => {
    const upload = async (name: string, text: string, key: string): Promise<string> => {
      const form = new FormData();
      form.append('source', JSON.stringify({ name: `notes/${name}` }));
      form.append('tags', 'one');
      form.append('file', new Blob([text]), name);
      const headers = { authorization: `Bearer ${admin}`, 'idempotency-key': key };
      const response = await fetch(`${underTest.url}/api/v1/items`, { method: 'POST', headers, body: form });
      expect(response.status).toBe(201);
      return ((await response.json()) as { id: string }).id;
    };
    const itemOf = (title: string, format: string, idempotencyKey: string) => ({
      title,
      text: '# Plan\n\nShip on Friday.\n',
      format,
      tags: ['one'],
      source: { kind: 'file', name: `notes/${title}.${format}` },
      idempotencyKey,
    });
    const [first, second] = [randomUUID(), randomUUID()];
    const uploaded = await upload('plan.md', '# Plan\r\n\r\nShip on Friday.\r\n', first);
    const results = await batch([itemOf('plan', 'md', first), itemOf('list', 'txt', second)]);
    expect(results[0].id).toBe(uploaded);
    expect(await upload('list.txt', '# Plan\n\nShip on Friday.\n', second)).toBe(results[1].id);
    expect((await rest(admin, 'GET', `/items/${results[1].id}`)).body).toMatchObject({ kind: 'file', format: 'txt' });
  });
});
