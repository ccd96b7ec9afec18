import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { ndcgAt, OWN_JUDGED_SET, readJudgedSet } from '@cairn/testing';
import type { LexicalHarness } from './lexical-index.contract.js';
import { openSearchHarness } from './opensearch.harness.js';
import { postgresHarness } from './postgres.harness.js';

const START_TIMEOUT_MS = 300_000;
const DEPTH = 10;

const set = readJudgedSet(OWN_JUDGED_SET);

interface Filled {
  readonly harness: LexicalHarness;
  readonly rank: (query: string) => Promise<{ document: string; score: number }[]>;
}

const fill = async (open: () => Promise<LexicalHarness>): Promise<Filled> => {
  const harness = await open();
  const workspaceId = randomUUID();
  const folderId = await harness.addFolder(workspaceId, 'personal');
  const chunkOf = new Map<string, string>(set.documents.map(({ id }) => [randomUUID(), id]));
  const ids = [...chunkOf.keys()];
  await harness.write(
    set.documents.map(({ title, text }, i) => ({
      kind: 'put',
      position: i + 1,
      document: {
        chunkId: ids[i]!,
        itemId: randomUUID(),
        workspaceId,
        folderId,
        superseded: false,
        expiresAt: null,
        body: `${title}\n${text}`,
      },
    })),
  );
  const reader = { workspaceId, folderIds: null, seesSensitive: false };
  const rank = async (query: string) =>
    (await harness.index.search(query, reader, DEPTH)).map(({ chunkId, score }) => ({
      document: chunkOf.get(chunkId)!,
      score,
    }));
  return { harness, rank };
};

const meanNdcg = async ({ rank }: Filled): Promise<number> => {
  let total = 0;
  for (const { text, judgements } of set.queries) {
    const ranked = (await rank(text)).map(({ document }) => document);
    total += ndcgAt(DEPTH, ranked, judgements);
  }
  return total / set.queries.length;
};

describe('BM25 on Postgres and on OpenSearch', () => {
  let postgres: Filled;
  let openSearch: Filled;
  beforeAll(async () => {
    [postgres, openSearch] = [await fill(postgresHarness), await fill(openSearchHarness)];
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await postgres.harness.close();
    await openSearch.harness.close();
  }, START_TIMEOUT_MS);

  it('[G-13] ranks a judged set almost identically: nDCG@10 differs by less than 0.01, and is far above chance', async () => {
    const [ours, theirs] = [await meanNdcg(postgres), await meanNdcg(openSearch)];
    expect(Math.abs(ours - theirs)).toBeLessThan(0.01);
    expect(ours).toBeGreaterThan(0.5);
  });

  it('finds the same documents for every query', async () => {
    for (const { text } of set.queries) {
      const [ours, theirs] = [await postgres.rank(text), await openSearch.rank(text)];
      const names = (hits: typeof ours) => hits.map(({ document }) => document).sort();
      expect({ text, found: names(ours) }).toEqual({ text, found: names(theirs) });
    }
  });
});
