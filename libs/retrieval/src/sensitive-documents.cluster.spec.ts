import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LexicalDocument } from '@cairn/projections';
import { removeSensitiveDocuments } from '@cairn/projections/testing';
import type { Pool } from 'pg';
import { openSearchHarness, type OpenSearchHarness } from './opensearch.harness.js';

const START_TIMEOUT_MS = 300_000;
const INDEX = 'chunks-v1';
const CHECKPOINT = 10;

describe('an OpenSearch index of an earlier build', () => {
  let harness: OpenSearchHarness;
  const workspaceId = randomUUID();

  beforeAll(async () => {
    harness = await openSearchHarness();
  }, START_TIMEOUT_MS);
  afterAll(() => harness.close(), START_TIMEOUT_MS);

  const documentOf = (folderId: string, body: string): LexicalDocument => ({
    chunkId: randomUUID(),
    itemId: randomUUID(),
    workspaceId,
    folderId,
    superseded: false,
    expiresAt: null,
    body,
  });
  /** Writes a document like an earlier build, which indexed every folder. */
  const putAsBefore = async (document: LexicalDocument, position: number): Promise<void> => {
    await harness.write([{ kind: 'put', position, document }]);
    const { chunkId: id, ...body } = document;
    await harness.client.index({ index: INDEX, id, version: position, version_type: 'external_gte', body });
    await harness.client.indices.refresh({ index: INDEX });
  };
  const score = async (query: string): Promise<number> => {
    const reader = { workspaceId, folderIds: null, seesSensitive: false };
    const hits = await harness.index.search(query, reader, 10);
    expect(hits).toHaveLength(1);
    return hits[0]!.score;
  };
  /** A database that knows the sensitive folders and the position of the index. */
  const poolWith = (...sensitive: string[]) =>
    ({
      query: (sql: string) =>
        Promise.resolve({
          rows: sql.includes('cairn.projections')
            ? [{ name: 'lexical', version: 1, position: String(CHECKPOINT), epoch: 1, layout: null }]
            : sensitive.map((id) => ({ id })),
        }),
    }) as unknown as Pool;

  it(
    'loses its documents of sensitive folders, and their words no longer count',
    async () => {
      const open = await harness.addFolder(workspaceId, 'personal');
      const secret = await harness.addFolder(workspaceId, 'sensitive');
      await harness.write([{ kind: 'put', position: 1, document: documentOf(open, 'Open\na numbat') }]);
      const before = await score('numbat');
      for (let position = 2; position < 8; position++)
        await putAsBefore(documentOf(secret, 'Secret\na numbat'), position);
      expect(await score('numbat')).toBeLessThan(before);
      const { client, writer } = harness;
      const remove = () =>
        removeSensitiveDocuments({ client, writer, pool: poolWith(secret) }, new AbortController().signal);
      expect(await remove()).toBe(6);
      expect(await writer.count(INDEX)).toBe(1);
      expect(await score('numbat')).toBeCloseTo(before, 5);
      expect(await remove()).toBe(0);
    },
    START_TIMEOUT_MS,
  );
});
