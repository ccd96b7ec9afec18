import { describe, expect, it } from '@jest/globals';
import { graphToolsOn, textOf, trailerOf } from './graph-tools.harness.js';

const TOOL = 'commit_to_folio';

describe('commit_to_folio', () => {
  it('stores a text in a folio by its name and answers with the commit', async () => {
    const tools = graphToolsOn();
    const folio_id = await tools.folder('Night watch');
    const content = 'The bell rings. '.repeat(300);
    const result = await tools.call(TOOL, {
      folioName: 'night  WATCH',
      content,
      extraMetadata: { sources: ['a'], x: 1 },
    });
    const { commit_id, chunk_count } = result.structuredContent;
    expect(result.structuredContent).toEqual({
      commit_id,
      folio: 'Night watch',
      folio_id,
      artifact: `carabase://artifact/${commit_id}`,
      chunk_count: expect.any(Number),
      position: expect.any(Number),
    });
    expect(textOf(result)).toBe(
      `Committed ${chunk_count} chunks to "Night watch" as carabase://artifact/${commit_id}.`,
    );
    const item = await tools.cairn().query('item.get', { itemId: commit_id, surface: 'mcp' });
    expect(item).toMatchObject({ kind: 'commit', content, extra: { sources: ['a'], x: 1 } });
    expect(item.chunks).toHaveLength(chunk_count);
  });

  it('names similar folios, and the call that it suggests stores the same text', async () => {
    const tools = graphToolsOn();
    await tools.folder('Recipes');
    const content = 'Salt. '.repeat(300);
    const refused = await tools.call(TOOL, { folioName: 'Recipe', content, extraMetadata: { x: 1 } });
    expect(refused.structuredContent).toMatchObject({
      code: 'engram.close_matches',
      retry: false,
      field: 'folioName',
      suggestedName: 'Recipe',
      candidates: [{ name: 'Recipes', graphId: 'recipes', match: 'contains your text' }],
      hint: {
        kind: 'commitUnknownFolio',
        next: [{ tool: TOOL, arguments: { folioName: 'Recipes', content, extraMetadata: { x: 1 } } }],
      },
      trace: { step: 'folder' },
    });
    expect(trailerOf(refused)).toBe(
      '[hint: No folio is named "Recipe". Similar ones: "Recipes". Call again with one of these names.]\n' +
        '[trace: looked for a folio named "Recipe" → 1 similar; nothing was stored]',
    );
    expect(refused.structuredContent.confirmationId).toBeUndefined();
    const [next] = refused.structuredContent.hint.next;
    const { folio, commit_id } = (await tools.call(next.tool, next.arguments)).structuredContent;
    expect(folio).toBe('Recipes');
    const item = await tools.cairn().query('item.get', { itemId: commit_id, surface: 'mcp' });
    expect(item).toMatchObject({ content, extra: { x: 1 } });
  });

  it.each([
    ['a long text', { content: 'Salt and pepper. '.repeat(200) }],
    ['a text that is not shown as it is', { content: 'Notes.\nUser: how much salt?' }],
    ['much metadata', { content: 'Salt.', extraMetadata: { rows: Array.from({ length: 65 }, (_, n) => n) } }],
    ['a long name in metadata', { content: 'Salt.', extraMetadata: { ['k'.repeat(81)]: 1 } }],
  ])('suggests no call that would store another text than the caller’s: %s', async (_, args) => {
    const tools = graphToolsOn();
    await tools.folder('Recipes');
    const { hint } = (await tools.call(TOOL, { folioName: 'Recipe', ...args })).structuredContent;
    expect(hint).toMatchObject({ kind: 'commitUnknownFolio', next: [] });
    expect(hint.message).toContain('Similar ones: "Recipes"');
  });

  it('does not name a sensitive folio, even to a caller that names it', async () => {
    const tools = graphToolsOn();
    await tools.folder('Vault', 'sensitive');
    const refused = await tools.call(TOOL, { folioName: 'Vault', content: 'x' });
    expect(refused.structuredContent).toMatchObject({ code: 'engram.not_found', engrams: ['Inbox'] });
    expect(refused.structuredContent.hint.next).toEqual([]);
  });

  it.each([
    ['a blank name', { folioName: ' ', content: 'x' }, 'folioName', undefined],
    ['a blank text', { folioName: 'Inbox', content: '  ' }, 'content', undefined],
    ['a text that is too long', { folioName: 'Inbox', content: 'x'.repeat(100_001) }, 'content', 100_000],
    ['a name that is too long', { folioName: 'x'.repeat(121), content: 'x' }, 'folioName', 120],
    [
      'too much metadata',
      { folioName: 'Inbox', content: 'x', extraMetadata: { a: 'é'.repeat(8_200) } },
      'extraMetadata',
      16_384,
    ],
    [
      'metadata that is not an object',
      { folioName: 'Inbox', content: 'x', extraMetadata: [] },
      'extraMetadata',
      undefined,
    ],
    [
      'a NUL in metadata',
      { folioName: 'Inbox', content: 'x', extraMetadata: { a: '\u0000' } },
      'extraMetadata',
      undefined,
    ],
    [
      'sources that are not a list',
      { folioName: 'Inbox', content: 'x', extraMetadata: { sources: 'a' } },
      'extraMetadata.sources',
      undefined,
    ],
    [
      'a source that is a number',
      { folioName: 'Inbox', content: 'x', extraMetadata: { sources: [7] } },
      'extraMetadata.sources[0]',
      undefined,
    ],
    ['an unknown argument', { folioName: 'Inbox', content: 'x', tags: [] }, 'tags', undefined],
  ])('refuses %s, names the field and stores nothing', async (_, args, field, limit) => {
    const tools = graphToolsOn();
    const { isError, structuredContent } = await tools.call(TOOL, args);
    expect([isError, structuredContent.code, structuredContent.field]).toEqual([true, 'input.invalid', field]);
    if (limit !== undefined) expect(structuredContent.limit).toBe(limit);
    expect((await tools.cairn().query('items.list', { limit: 10, surface: 'rest' })).items).toEqual([]);
  });
});
