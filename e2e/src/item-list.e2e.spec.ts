import { beforeAll, describe, expect, it } from '@jest/globals';
import { newWorkspace, rest, underTest } from './under-test.js';

describe('GET /api/v1/items', () => {
  let token: string;
  const store = async (title: string, more: Record<string, unknown> = {}): Promise<string> => {
    const { status, body } = await rest(token, 'POST', '/items', { title, text: `Body of ${title}.`, ...more });
    expect(status).toBe(201);
    return body.id;
  };
  const page = async (query: string) => (await rest(token, 'GET', `/items?${query}`)).body;

  beforeAll(async () => {
    token = (await newWorkspace()).token;
  });

  it('[G-35] shows each item once although others are added and hidden between two pages', async () => {
    const first = [];
    for (let i = 0; i < 7; i++) first.push(await store(`first ${i}`));
    const seen: string[] = [];
    let cursor: string | null = '';
    for (let round = 0; cursor !== null; round++) {
      const answer: { items: { id: string }[]; nextCursor: string | null } = await page(
        `limit=2&inKb=true${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      seen.push(...answer.items.map(({ id }) => id));
      cursor = answer.nextCursor;
      await store(`added ${round}`);
      if (round === 0) await rest(token, 'PATCH', `/items/${first[0]}`, { inKb: false });
    }
    expect(seen).toEqual(first.slice(1).reverse());
  });

  it('filters by folder, by knowledge base and by kind', async () => {
    const folder = await rest(token, 'POST', '/folders', { slug: 'list-here', name: 'List here' });
    const inFolder = await store('in a folder', { folderId: folder.body.id });
    const outside = await store('outside of search', { inKb: false });
    const ids = async (query: string): Promise<string[]> =>
      (await page(query)).items.map(({ id }: { id: string }) => id);
    expect(await ids(`folderId=${folder.body.id}`)).toEqual([inFolder]);
    expect(await ids('inKb=false&limit=100')).toContain(outside);
    expect(await ids('inKb=true&limit=100')).not.toContain(outside);
    expect(await ids('kind=clip')).toEqual([]);
    expect((await ids('kind=document&limit=100')).length).toBeGreaterThan(0);
  });

  it('[G-36] has no chunk-level search: no such parameter is documented or accepted', async () => {
    const response = await fetch(`${underTest.url}/api/v1/openapi.json`);
    const document = (await response.json()) as any;
    const path = Object.keys(document.paths).find((name) => name.endsWith('/items'))!;
    const parameters = document.paths[path].get.parameters.map(({ name }: { name: string }) => name);
    expect(parameters.sort()).toEqual(['cursor', 'folderId', 'inKb', 'kind', 'limit']);
    expect(document.paths[path].get.summary).toMatch(/search.*MCP/is);
    for (const name of ['query', 'q', 'search']) {
      const { status, body } = await rest(token, 'GET', `/items?${name}=tomato`);
      expect({ status, field: body.error.field }).toEqual({ status: 400, field: name });
    }
  });
});
