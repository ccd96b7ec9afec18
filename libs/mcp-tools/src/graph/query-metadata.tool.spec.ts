import { describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import { graphToolsOn, textOf, trailerOf } from './graph-tools.harness.js';

const TOOL = 'carabase_query_metadata';

const filled = async () => {
  const tools = graphToolsOn();
  const add = async (at: string, title: string, more: object = {}) => {
    tools.at(at);
    await tools.call('store_knowledge', { title, body: `${title}.`, ...more });
  };
  await add('2027-02-22T23:59:59.999Z', 'Monday');
  await add('2027-02-23T00:00:00.000Z', 'Tuesday', { tags: ['red'] });
  await add('2027-02-23T23:59:59.999Z', 'Late Tuesday', { tags: ['red', 'big'] });
  await add('2027-02-24T00:00:00.000Z', 'Wednesday');
  return tools;
};

const titles = async (filters: object, tools = filled()): Promise<string[]> =>
  (await (await tools).call(TOOL, { filters })).structuredContent.items.map(({ title }: { title: string }) => title);

describe('carabase_query_metadata', () => {
  it('reads a day as the whole day in UTC, and a time as an exclusive end', async () => {
    expect(await titles({ date_from: '2027-02-23', date_to: '2027-02-23' })).toEqual(['Late Tuesday', 'Tuesday']);
    expect(await titles({ date_from: '2027-02-24' })).toEqual(['Wednesday']);
    expect(await titles({ date_to: '2027-02-23T00:00:00Z' })).toEqual(['Monday']);
    expect(await titles({ date_from: '2027-02-23T01:00:00+01:00', date_to: '2027-02-23T12:00:00Z' })).toEqual([
      'Tuesday',
    ]);
    expect(await titles({ date_to: '9999-12-31', tags: ['BIG', 'red'] })).toEqual(['Late Tuesday']);
  });

  it('lists titles, times and URIs, newest first, and no bodies', async () => {
    const result = await (await filled()).call(TOOL, { filters: { tags: ['red'], limit: 1 } });
    expect(textOf(result)).toBe('1. Late Tuesday (knowledge, 2027-02-23T23:59:59.999Z)\n\n1 of 2 are listed.');
    const { items, total } = result.structuredContent;
    expect(total).toBe(2);
    expect(items[0]).toEqual({
      artifact: `carabase://artifact/${items[0].memory_id}`,
      memory_id: expect.any(String),
      title: 'Late Tuesday',
      kind: 'knowledge',
      folio_id: expect.any(String),
      tags: ['red', 'big'],
      source: { kind: 'agent' },
      created_at: '2027-02-23T23:59:59.999Z',
    });
  });

  it('accepts the filters at the top level and under their old names', async () => {
    const tools = await filled();
    const now = await tools.call(TOOL, { filters: { date_from: '2027-02-23', date_to: '2027-02-23', limit: 1 } });
    for (const args of [
      { date_after: '2027-02-23', date_before: '2027-02-23', limit: 1 },
      { date_from: '2027-02-23', filters: { date_before: '2027-02-23', limit: 1 } },
      { filters: '{"date_after":"2027-02-23","date_before":"2027-02-23","limit":"1"}' },
    ])
      expect(await tools.call('query_metadata', args)).toEqual(now);
    const both = await tools.call(TOOL, { date_after: '2027-02-23', filters: { date_from: '2027-02-23' } });
    expect(both.structuredContent).toMatchObject({ code: 'input.invalid', field: 'date_after' });
  });

  it.each([
    ['no filter', {}, 'filters'],
    ['a limit alone', { limit: 5 }, 'filters'],
    ['a day that does not exist', { date_from: '2027-02-30' }, 'filters.date_from'],
    ['a text that is not a day', { date_to: 'last Tuesday' }, 'filters.date_to'],
    ['an end before the start', { date_from: '2027-02-24', date_to: '2027-02-23' }, 'filters.date_to'],
    ['a limit out of bounds', { kind: 'clip', limit: 101 }, 'filters.limit'],
    ['an unknown filter', { colour: 'red' }, 'filters.colour'],
    ['17 tags', { tags: Array.from({ length: 17 }, (_, i) => `t${i}`) }, 'filters.tags'],
  ])('refuses %s and names the field', async (_, filters, field) => {
    const { isError, structuredContent } = await graphToolsOn().call(TOOL, { filters });
    expect([isError, structuredContent.code, structuredContent.field]).toEqual([true, 'input.invalid', field]);
    expect(structuredContent.hint.kind).toBe('invalidArguments');
  });

  it('refuses a folio that the caller may not see like one that does not exist', async () => {
    const tools = graphToolsOn();
    const hidden = await tools.folder('Hidden', 'sensitive');
    for (const folio_id of [hidden, uuidV7()]) {
      const { structuredContent } = await tools.call(TOOL, { filters: { folio_id } });
      expect(structuredContent).toMatchObject({
        code: 'folder.not_found',
        field: 'filters.folio_id',
        hint: { kind: 'metadataUnknownFolio' },
      });
    }
  });

  it('suggests the path of a similar filter, not its name alone', async () => {
    const { call } = graphToolsOn();
    expect(trailerOf(await call(TOOL, { filters: { folio: 'x' } }))).toMatch(
      /^\[hint: Use filters\.folio_id instead of filters\.folio\.\]\n/,
    );
    expect(trailerOf(await call(TOOL, { filters: { kind: 'clip' }, 'filter.s': 'x' }))).not.toContain('filter.filters');
  });

  it('names every faulty field, and does not call the other arguments correct', async () => {
    const { call } = graphToolsOn();
    const refused = await call(TOOL, { filters: { folio: 'x', kind: 'none', limit: 0 } });
    expect(refused.structuredContent.hint.message).toBe(
      'Correct filters.kind, filters.limit and filters.folio, then call again. Use filters.folio_id instead of filters.folio.',
    );
  });

  it.each([
    [{ tags: ['none'] }, 'No artifact matches the filter tags. Try another value, or search by meaning.'],
    [{ date_from: '2020-01-01', date_to: '2020-01-02' }, 'No artifact matches the filter date. Widen the dates.'],
  ])('does not speak of several filters where %j is the only one', async (filters, message) => {
    const { hint } = (await (await filled()).call(TOOL, { filters })).structuredContent;
    expect(hint).toEqual({ kind: 'metadataNoResults', message, next: [] });
  });

  it('names the filter that has hits by itself, and the call that it suggests works', async () => {
    const tools = await filled();
    const empty = await tools.call(TOOL, { filters: { tags: ['red'], date_to: '2020-01-01' } });
    expect(trailerOf(empty)).toBe(
      '[hint: No artifact matches all filters together: tags alone has 2, date alone has 0. Leave out the filter without ' +
        'hits, or widen the dates.]\n[trace: queried metadata by date_to="2020-01-01" tags="(\"red\")" → 0 items]'.replaceAll(
          '\\',
          '',
        ),
    );
    const { hint, trace } = empty.structuredContent;
    expect(trace.matched).toEqual({ tags: 2, date: 0 });
    expect((await tools.call(hint.next[0].tool, hint.next[0].arguments)).structuredContent.items).toHaveLength(2);
  });
});
