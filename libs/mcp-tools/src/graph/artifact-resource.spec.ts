import { describe, expect, it } from '@jest/globals';
import { asAppError, type Retention } from '@cairn/contracts';
import { countTokens } from '@cairn/graph';
import { uuidV7 } from '@cairn/kernel';
import { RESOURCE_TEMPLATES } from '../resource.js';
import type { CarabaseToolContext } from '../tool.js';
import { graphToolsOn } from './graph-tools.harness.js';

const opened = async (text: string, more: { readonly format?: 'csv' | 'md' | 'pdf' } = {}) => {
  const tools = graphToolsOn();
  const { itemId } = await tools.cairn().command('item.store', {
    title: 'A file',
    text,
    tags: [],
    source: { kind: 'file', name: 'a.bin' },
    inKb: true,
    kind: 'file',
    confidence: 100,
    expiresAt: null,
    surface: 'rest',
    ...more,
  });
  const read = (uri: string, context: Partial<CarabaseToolContext> = {}, who = {}) =>
    RESOURCE_TEMPLATES.find((template) => template.matches(uri))!.read(uri, { cairn: tools.cairn(who), ...context });
  return { ...tools, itemId, read };
};

const CSV = ['city,sales', ...Array.from({ length: 300 }, (_, i) => `${i % 3 ? 'Rome' : 'Oslo'},${i}`)].join('\n');

const connected = async (retention: Retention) => {
  const tools = graphToolsOn();
  const cairn = tools.cairn();
  const accountId = uuidV7();
  await cairn.command('account.connect', {
    accountId,
    connectorId: 'folder',
    label: 'Plans',
    retention,
    hydrate: true,
    confirm: 'never',
    batchTokensMax: 4_000,
    settings: {},
    multiAccount: true,
  });
  const text = 'The harbour opens in May. '.repeat(20).trim();
  const { itemId } = await cairn.command('item.sync', {
    accountId,
    ref: 'plan.md',
    version: '1',
    retention,
    kind: 'file',
    title: 'Plan',
    text,
  });
  const uri = `carabase://artifact/${itemId}`;
  const read = (more: Partial<CarabaseToolContext> = {}) =>
    RESOURCE_TEMPLATES.find((template) => template.matches(uri))!.read(uri, { cairn, ...more });
  return { ...tools, text, uri, meshUri: `mesh://folder/${accountId}/${itemId}`, read };
};

describe('an artifact whose text is stored at its source', () => {
  it.each(['hollow', 'metadata'] as const)('is read with its mesh_uri when it is %s', async (retention) => {
    const { text, meshUri, read, call } = await connected(retention);
    const shown = await read();
    expect(shown.text).toBe(
      `${text}\n\nThe text is kept at its source; carabase_resolve_mesh_uri fetches it: ${meshUri}`,
    );
    expect(shown._meta).toEqual({ 'cairn/mesh_uri': meshUri });
    const found = await call('carabase_search_semantic', { query: 'harbour opens in May' });
    expect(found.structuredContent.hits[0].mesh_uri).toBe(meshUri);
    expect(JSON.stringify(found.content)).toContain(meshUri);
  });

  it('stays within the budget of the host', async () => {
    const { meshUri, read } = await connected('hollow');
    for (const maxTokens of [1, 20, 60, 90]) {
      const { text, _meta } = await read({ compaction: { maxTokens } });
      expect(countTokens(text)).toBeLessThanOrEqual(maxTokens);
      expect(_meta).toMatchObject({ 'cairn/mesh_uri': meshUri });
    }
  });

  it('is read like any other if the whole text is stored, and a dark one reveals nothing', async () => {
    const whole = await connected('full');
    expect(await whole.read()).toEqual({ uri: whole.uri, mimeType: 'text/plain', text: whole.text });
    const { structuredContent } = await whole.call('carabase_search_semantic', { query: 'harbour' });
    expect(structuredContent.hits[0]).not.toHaveProperty('mesh_uri');
    const dark = await connected('dark');
    expect(await dark.read()).toEqual({ uri: dark.uri, mimeType: 'text/plain', text: dark.text });
  });
});

describe('carabase://artifact/{id}', () => {
  it('[C-80] is the whole text unless the host sets a budget', async () => {
    const { itemId, read } = await opened(CSV, { format: 'csv' });
    const uri = `carabase://artifact/${itemId}`;
    expect(await read(uri)).toEqual({ uri, mimeType: 'text/csv', text: CSV });
    expect(await read(`${uri}?q=sales`)).toMatchObject({ text: CSV });
  });

  it('[C-76] [C-77] [C-80] is within the budget of the host, ranked by the query', async () => {
    const { itemId, read } = await opened(CSV, { format: 'csv' });
    const { text, _meta } = await read(`carabase://artifact/${itemId}?q=city%3DOslo`, {
      compaction: { maxTokens: 50 },
    });
    expect(text).toMatch(/^city,sales\n(Oslo,\d+\n)+… \d+ of 300 rows$/);
    expect(countTokens(text)).toBeLessThanOrEqual(50);
    const { format, tokens, of } = _meta?.['cairn/compacted'] as { format: string; tokens: number; of: number };
    expect([format, tokens <= 50, of > 50]).toEqual(['csv', true, true]);
  });

  it.each([
    [
      '[C-78] Markdown keeps its headings and the matching paragraph',
      'md' as const,
      ['# Log', 'Calm sea. '.repeat(60), '## Prices', 'Pricing is too high.', 'Calm sea. '.repeat(60)].join('\n\n'),
      '# Log\n\n[…]\n\n## Prices\n\nPricing is too high.\n\n[…]',
    ],
    [
      '[C-79] a PDF keeps the page with the words of the query',
      'pdf' as const,
      ['Calm sea. '.repeat(60), 'Pricing, pricing and pricing.', `${'Calm sea. '.repeat(60)} pricing`].join('\f'),
      expect.stringMatching(/^\[page 2\]\nPricing, pricing and pricing\./),
    ],
  ])('%s', async (_, format, body, shown) => {
    const { itemId, read } = await opened(body, { format });
    const { text, _meta } = await read(`carabase://artifact/${itemId}?q=pricing`, { compaction: { maxTokens: 30 } });
    expect(text).toEqual(shown);
    expect(countTokens(text)).toBeLessThanOrEqual(30);
    expect(_meta).toMatchObject({ 'cairn/compacted': { tokens: countTokens(text), of: countTokens(body) } });
  });

  it('gives the same answer for an artifact that does not exist, is out of scope or has another form', async () => {
    const { itemId, read, folder } = await opened('x');
    const other = await folder('Other');
    const scoped = { isUnscoped: false, folderIds: [other] };
    const codes = await Promise.all(
      [
        read(`carabase://artifact/${uuidV7()}`),
        read(`carabase://artifact/${itemId}`, {}, scoped),
        read('carabase://artifact/nothing'),
        read(`carabase://artifact/${itemId}?depth=1`),
        read(`carabase://artifact/${itemId}?q=${'x'.repeat(2_001)}`),
        read(`folio://${uuidV7()}/readme`),
      ].map((one) =>
        one.then(
          () => 'answered',
          (thrown: unknown) => asAppError(thrown).code,
        ),
      ),
    );
    expect(new Set(codes)).toEqual(new Set(['resource.not_found']));
  });
});

describe('folio://{id}/readme', () => {
  it('is the name of the folio and its readme', async () => {
    const { folder, read } = await opened('x');
    const uri = `folio://${await folder('Night watch')}/readme`;
    expect(await read(uri)).toEqual({ uri, mimeType: 'text/markdown', text: '# Night watch\n\nAbout Night watch.' });
  });

  it('of a sensitive folio is not found', async () => {
    const { folder, read } = await opened('x');
    await expect(read(`folio://${await folder('Vault', 'sensitive')}/readme`)).rejects.toMatchObject({
      code: 'resource.not_found',
    });
  });
});
