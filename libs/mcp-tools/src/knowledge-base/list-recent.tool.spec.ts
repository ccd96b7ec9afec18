import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { AppError } from '@cairn/kernel';
import type { CairnPort } from '../cairn.port.js';
import { InMemoryCairn } from '../cairn.fake.js';
import { InMemoryPages } from '../page.fake.js';
import { findTool } from '../registry.js';
import { listRecent } from './list-recent.tool.js';

type Loose = ReturnType<typeof JSON.parse>;

const clock = { now: () => Date.parse('2027-03-01T12:00:00Z') };
const alice = { workspaceId: 'one', agentId: 'alice' };

const call = async (cairn: CairnPort, name: string, args: unknown) => {
  const answer = await findTool(name)!.call(args, { cairn, clock, pages: new InMemoryPages() });
  expect(findTool(name)!.output.safeParse(answer.structured).error).toBeUndefined();
  return answer as { text: string; structured: Record<string, Loose> };
};

const libraryOf = async (titles: readonly string[]): Promise<{ store: InMemoryCairn; cairn: CairnPort }> => {
  const store = new InMemoryCairn(clock);
  const cairn = store.as(alice);
  for (const title of titles) await call(cairn, 'store_knowledge', { title, body: 'x' });
  return { store, cairn };
};

describe('list_recent', () => {
  it('needs the scope read and publishes limit 1..100 with 20', () => {
    expect(listRecent).toMatchObject({ scope: 'read', annotations: { readOnlyHint: true, openWorldHint: false } });
    expect(listRecent.inputSchema).toMatchObject({
      properties: { limit: { type: 'integer', minimum: 1, maximum: 100, default: 20 } },
    });
    expect(listRecent.inputSchema['required']).toBeUndefined();
  });

  it('returns the newest first, for programs and as a numbered list of titles and dates', async () => {
    const { cairn } = await libraryOf(['Old', 'New\nest']);
    const { text, structured } = await call(cairn, 'list_recent', {});
    expect(text.split('\n')).toEqual([
      '1. New est (knowledge, 2027-03-01T12:00:00.000Z)',
      '2. Old (knowledge, 2027-03-01T12:00:00.000Z)',
    ]);
    const [newest] = structured['items'];
    expect(Object.keys(newest)).toEqual(['id', 'title', 'kind', 'folderId', 'createdAt', 'resource']);
    expect(newest.resource).toBe(`drobek://knowledge/${newest.id}`);
  });

  it('returns 20 by default, and as many as requested', async () => {
    const { cairn } = await libraryOf(Array.from({ length: 25 }, (_, i) => `Entry ${i}`));
    for (const [args, count] of [
      [{}, 20],
      [{ limit: 1 }, 1],
      [{ limit: 100 }, 25],
    ] as const) {
      expect((await call(cairn, 'list_recent', args)).structured['items']).toHaveLength(count);
    }
  });

  it('queries as an MCP tool, so that no sensitive folder is included', async () => {
    const asked: unknown[] = [];
    const query = (type: string, data: unknown) => {
      asked.push([type, data]);
      return Promise.resolve({ items: [], nextCursor: null });
    };
    await call({ query } as unknown as CairnPort, 'list_recent', {});
    expect(asked).toEqual([['items.list', { limit: 20, surface: 'mcp' }]]);
  });

  it('reports an empty list in words, also if only another workspace has items', async () => {
    const { store } = await libraryOf(['Theirs']);
    const { text, structured } = await call(store.as({ ...alice, workspaceId: 'two' }), 'list_recent', {});
    expect([text, structured]).toEqual(['There are no items yet.', { items: [] }]);
  });

  it('fails with the error of the query', async () => {
    const query = () => Promise.reject(fail('service.unavailable', 'search is unavailable'));
    const work = call({ query } as unknown as CairnPort, 'list_recent', {});
    await expect(work).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  it.each([
    ['limit 0', { limit: 0 }, 'limit', 1],
    ['limit -1', { limit: -1 }, 'limit', 1],
    ['limit 101', { limit: 101 }, 'limit', 100],
    ['limit 1.5', { limit: 1.5 }, 'limit', undefined],
    ['limit as a word', { limit: 'five' }, 'limit', undefined],
    ['limit 101 as text', { limit: '101' }, 'limit', 100],
    ['limit null', { limit: null }, 'limit', undefined],
    ['an endless limit', { limit: 1e308 }, 'limit', undefined],
    ['an unknown field', { cursor: 'x' }, 'cursor', undefined],
    ['arguments that are not an object', [], 'input', undefined],
    ['arguments that are null', null, 'input', undefined],
  ])('refuses %s and names the field', async (_, args, field, limit) => {
    const { cairn } = await libraryOf([]);
    const error: unknown = await call(cairn, 'list_recent', args).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(AppError);
    expect(error).toMatchObject({ code: 'input.invalid', details: { field, ...(limit ? { limit } : {}) } });
    expect((error as AppError).message).toContain(field);
  });
});
