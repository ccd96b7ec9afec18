import { describe, expect, it } from '@jest/globals';
import { fail } from '@cairn/contracts';
import { findTool } from '../registry.js';
import { graphToolsOn, textOf, trailerOf } from './graph-tools.harness.js';

const filled = async () => {
  const tools = graphToolsOn();
  await tools.call('store_knowledge', { title: 'Pricing', body: 'Alice thinks that pricing is fine.' });
  await tools.call('store_knowledge', { title: 'Wicks', body: 'The keeper trims wicks and pricing is not discussed.' });
  return tools;
};

describe('carabase_search_semantic', () => {
  it('publishes its arguments with bounds and defaults', () => {
    expect(findTool('carabase_search_semantic')?.inputSchema).toMatchObject({
      required: ['query'],
      additionalProperties: false,
      properties: {
        query: { minLength: 1, maxLength: 2000 },
        k: { minimum: 1, maximum: 50, default: 10 },
        min_similarity: { minimum: 0, maximum: 1, default: 0.3 },
      },
    });
  });

  it('answers with URIs, snippets and provenance, and no bodies', async () => {
    const { call } = await filled();
    const result = await call('carabase_search_semantic', { query: 'alice pricing', k: 5, min_similarity: 0.4 });
    const [hit] = result.structuredContent.hits;
    expect(result.structuredContent.hits).toHaveLength(2);
    expect(Object.keys(hit).sort()).toEqual(
      'artifact chunk_id created_at folio_id memory_id provenance similarity snippet title'.split(' '),
    );
    expect(hit).toMatchObject({
      artifact: `carabase://artifact/${hit.memory_id}`,
      title: 'Pricing',
      similarity: 1,
      provenance: { source_kind: 'agent', folio: 'Inbox', agent_id: 'alice', position: expect.any(Number) },
    });
    expect(textOf(result)).toMatch(/^1\. \(1\.00\) Pricing — Inbox\n {3}"\.\.\.Alice thinks/);
    expect(result.content.filter(({ type }) => type === 'resource_link')).toHaveLength(2);
    expect(result.structuredContent.hint).toBeUndefined();
  });

  it('gives the same answer under its old name and the old name of k', async () => {
    const { call } = await filled();
    const now = await call('carabase_search_semantic', { query: 'pricing', k: 1 });
    expect(await call('search_semantic', { query: 'pricing', limit: 1 })).toEqual(now);
    const both = await call('search_semantic', { query: 'pricing', limit: 1, k: 1 });
    expect(both.structuredContent).toMatchObject({ code: 'input.invalid', field: 'limit' });
  });

  it('suggests a lower similarity if nothing is near enough, and that call works', async () => {
    const { call } = await filled();
    const empty = await call('carabase_search_semantic', { query: 'pricing of zebras', min_similarity: 0.9 });
    expect(trailerOf(empty)).toBe(
      '[hint: No passage reaches 0.9; the nearest has 0.33. Lower min_similarity, or describe the content instead of ' +
        'asking a question.]\n[trace: searched semantic for "pricing of zebras" → 0 hits at ≥ 0.9; best was 0.33]',
    );
    const { hint, trace } = empty.structuredContent;
    expect(hint.kind).toBe('semanticNoResults');
    expect(trace).toMatchObject({ strategy: 'semantic', query: 'pricing of zebras', k: 10, hits: 0 });
    const repaired = await call(hint.next[0].tool, hint.next[0].arguments);
    expect(repaired.structuredContent.hits.length).toBeGreaterThan(0);
  });

  it('reports an empty library without a suggestion', async () => {
    const { structuredContent } = await graphToolsOn().call('carabase_search_semantic', { query: 'x' });
    expect(structuredContent.hint).toMatchObject({ kind: 'semanticNoResults', next: [] });
    expect(structuredContent.trace.best).toBeUndefined();
  });

  it('fails with a hint if the embedder is unavailable', async () => {
    const cairn = { query: () => Promise.reject(fail('embedder.unavailable', 'no model')) } as never;
    const failed = await graphToolsOn(undefined, { cairn }).call('carabase_search_semantic', { query: 'x' });
    expect(failed.structuredContent).toMatchObject({
      code: 'embedder.unavailable',
      retry: true,
      hint: { kind: 'unavailable' },
    });
  });
});
