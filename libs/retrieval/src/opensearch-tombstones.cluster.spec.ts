import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  ERASURE_STEPS,
  generationAlias,
  homeOf,
  PROJECTIONS,
  type Forgetting,
  type LexicalDocument,
  type Stores,
} from '@cairn/projections';
import { openSearchHarness, type OpenSearchHarness } from './opensearch.harness.js';

const START_TIMEOUT_MS = 300_000;
const INDEX = 'chunks-v1';
const DAY_MS = 24 * 60 * 60_000;

describe('a document that was removed from OpenSearch', () => {
  let harness: OpenSearchHarness;
  let folderId: string;
  const workspaceId = randomUUID();

  beforeAll(async () => {
    harness = await openSearchHarness();
    folderId = await harness.addFolder(workspaceId, 'personal');
    // Simulates the end of the minute for which OpenSearch itself remembers deleted documents.
    await harness.client.indices.putSettings({ index: INDEX, body: { index: { gc_deletes: '0s' } } });
  }, START_TIMEOUT_MS);
  afterAll(() => harness.close(), START_TIMEOUT_MS);

  const documentOf = (body: string): LexicalDocument => ({
    chunkId: randomUUID(),
    itemId: randomUUID(),
    workspaceId,
    folderId,
    superseded: false,
    expiresAt: null,
    body,
  });
  const put = (document: LexicalDocument, position: number) => harness.write([{ kind: 'put', position, document }]);
  const found = async (query: string): Promise<string[]> => {
    const reader = { workspaceId, folderIds: null, seesSensitive: true };
    return (await harness.index.search(query, reader, 10)).map(({ chunkId }) => chunkId);
  };
  const stored = async (chunkId: string, index = INDEX): Promise<any> => {
    const { body } = await harness.client.get({ index, id: chunkId }, { ignore: [404] });
    return body.found ? { version: body._version, source: body._source } : undefined;
  };
  /** OpenSearch forgets deleted documents when its next minute begins: this takes some writes and refreshes. */
  const timePasses = async (): Promise<void> => {
    for (let i = 0; i < 3; i++) await put(documentOf('time passes'), 1);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    for (let i = 0; i < 3; i++) await put(documentOf('time passes'), 1);
  };
  const forgettingOf = ({ chunkId, itemId }: LexicalDocument, position: number): Forgetting => ({
    receiptId: randomUUID(),
    workspaceId,
    itemId,
    chunkIds: [chunkId],
    sourceRemoved: true,
    erased: [],
    position,
    forgottenAt: new Date(),
  });
  /** The step of the erasure worker; only OpenSearch is tested, so Postgres is configured without its table. */
  const lexicalStep = ERASURE_STEPS.find(({ store }) => store === 'lexical')!;
  const stores = () =>
    ({ openSearch: harness.client, pool: { query: () => Promise.resolve({ rows: [] }) } }) as unknown as Stores;
  const lexical = PROJECTIONS.find(({ name }) => name === 'lexical')!;

  it.each([
    [
      'forgotten',
      (document: LexicalDocument) => ({ kind: 'forget', position: 20, chunkIds: [document.chunkId] }) as const,
    ],
    ['out of the knowledge base', ({ itemId }: LexicalDocument) => ({ kind: 'remove', position: 20, itemId }) as const],
  ])('[N-59] is not restored by an older write that arrives late: %s', async (_, change) => {
    const document = documentOf('thylacine');
    await put(document, 10);
    expect(await found('thylacine')).toEqual([document.chunkId]);
    await harness.write([change(document)]);
    await timePasses();
    await put(document, 10);
    await put({ ...document, body: 'thylacine again' }, 19);
    expect(await found('thylacine')).toEqual([]);
    expect(await stored(document.chunkId)).toEqual({ version: 20, source: { removedAt: expect.any(String) } });
    await put(document, 21);
    expect(await found('thylacine')).toEqual([document.chunkId]);
    await harness.write([{ kind: 'forget', position: 22, chunkIds: [document.chunkId] }]);
  });

  it('is no longer counted, neither as a document nor as a leftover', async () => {
    const document = documentOf('quagga');
    const before = await harness.writer.count(INDEX);
    await put(document, 10);
    expect(await harness.writer.count(INDEX)).toBe(before + 1);
    expect(await lexicalStep.left(stores(), forgettingOf(document, 20))).toBe(1);
    await harness.write([{ kind: 'forget', position: 20, chunkIds: [document.chunkId] }]);
    expect(await harness.writer.count(INDEX)).toBe(before);
    expect(await lexicalStep.left(stores(), forgettingOf(document, 20))).toBe(0);
  });

  it('[N-59] gets a tombstone in a version that is being built too, before its document arrives there', async () => {
    const [document, unnamed] = [documentOf('great auk'), documentOf('great auk, of a chunk forgotten before')];
    const sibling = { ...unnamed, itemId: document.itemId };
    await harness.writer.recreateIndex('chunks-v2', 'second');
    await put(document, 10);
    await put(sibling, 10);
    await lexicalStep.run(stores(), forgettingOf(document, 20));
    expect(await found('auk')).toEqual([]);
    // A batch that the rebuild had already read.
    await harness.writer.write(generationAlias('second'), [{ kind: 'put', position: 10, document }]);
    await harness.writer.refresh('chunks-v2');
    expect(await stored(document.chunkId, 'chunks-v2')).toMatchObject({
      version: 20,
      source: { removedAt: expect.any(String) },
    });
    expect(await lexicalStep.left(stores(), forgettingOf(document, 20))).toBe(0);
    await harness.writer.dropIndex('chunks-v2');
  });

  it(
    '[N-59] loses its tombstone in a purge a day later, and not before',
    async () => {
      const [old, fresh] = [documentOf('aurochs'), documentOf('aurochs too')];
      await put(old, 10);
      await put(fresh, 10);
      await harness.write([{ kind: 'forget', position: 20, chunkIds: [old.chunkId, fresh.chunkId] }]);
      const removedAt = new Date(Date.now() - DAY_MS - 60_000).toISOString();
      await harness.client.index({
        index: INDEX,
        id: old.chunkId,
        version: 20,
        version_type: 'external_gte',
        body: { removedAt },
      });
      await harness.writer.refresh(INDEX);
      await homeOf(lexical, stores()).outside!.purge(new AbortController().signal);
      expect([await stored(old.chunkId), await stored(fresh.chunkId)]).toEqual([
        undefined,
        { version: 20, source: { removedAt: expect.any(String) } },
      ]);
      expect(await found('aurochs')).toEqual([]);
    },
    START_TIMEOUT_MS,
  );

  it('is removed from an index that an older build created', async () => {
    await harness.client.indices.create({
      index: 'chunks-v7',
      body: { mappings: { dynamic: 'strict', properties: { itemId: { type: 'keyword' } } } } as never,
    });
    const document = documentOf('moa');
    await harness.client.index({ index: 'chunks-v7', id: document.chunkId, body: { itemId: document.itemId } });
    await harness.writer.recreateIndex('chunks-v8', 'eighth');
    await lexicalStep.run(stores(), forgettingOf(document, 20));
    expect(await stored(document.chunkId, 'chunks-v7')).toEqual({
      version: 20,
      source: { removedAt: expect.any(String) },
    });
    for (const index of ['chunks-v7', 'chunks-v8']) await harness.writer.dropIndex(index);
  });
});
