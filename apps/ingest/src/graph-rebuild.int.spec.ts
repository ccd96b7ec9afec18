import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { systemIds } from '@cairn/kernel';
import { readSlot } from '@cairn/projections';
import { edgeRef } from '@cairn/vault';
import { itemData } from './command-data.builder.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { rebuiltAfterRandomHistories } from './random-history.harness.js';
import { STEP_KINDS } from './random-steps.harness.js';

let ingest: IngestUnderTest;
beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: true });
}, 60_000);
afterAll(() => ingest.stop());

const caughtUp = async (): Promise<void> => {
  const head = await ingest.stores.log.head();
  while ((await readSlot(ingest.pool, 'graph'))!.checkpoint.position < head);
};

const rows = async (table: string): Promise<Record<string, unknown>[]> =>
  (await ingest.pool.query(`select * from graph.${table}`)).rows as Record<string, unknown>[];

describe('the graph', () => {
  it('has the same rows when it is rebuilt, after any history and with its reader killed in between', async () => {
    const done = await rebuiltAfterRandomHistories(ingest, {
      kinds: [...STEP_KINDS, 'commit', 'sync', 'sync', 'retain', 'forget', 'forget', 'forget'],
      stepsMax: 40,
      runs: 5,
      seed: 1,
    });
    expect(done).toEqual(
      expect.arrayContaining([
        ...['commit', 'file', 'document', 'observations', 'rollup'].map((kind) => `forget ${kind}`),
        'sync under a tighter rule',
      ]),
    );
  }, 240_000);

  it('keeps a rejected edge rejected when the text is read again', async () => {
    const principal = await ingest.workspace();
    const data = itemData({ text: 'Alice Chen works at Meridian Labs.' });
    const { itemId, chunkIds } = await ingest.command(principal, 'item.store', data);
    await caughtUp();
    const [edge] = (await rows('edges')).filter((row) => row['item_id'] === itemId);
    const evidence = [{ itemId, chunkId: chunkIds[0]!, edgeRef: (edge!['ref_hash'] as Buffer).toString('hex') }];
    await ingest.command(principal, 'edge.review', { edgeId: String(edge!['id']), evidence, verdict: 'rejected' });
    await ingest.command(principal, 'item.update', { itemId, title: 'Another title' });
    await caughtUp();
    const [again] = (await rows('edges')).filter((row) => row['item_id'] === itemId);
    const [review] = (await rows('reviews')).filter((row) => row['item_id'] === itemId);
    expect(again!['position']).not.toBe(edge!['position']);
    expect([review!['verdict'], review!['ref_hash']]).toEqual(['rejected', again!['ref_hash']]);
  });

  it('counts the edges that wait for a verdict', async () => {
    const { reviews, metrics } = ingest.replicas[0]!;
    const open = async (): Promise<number> => {
      await caughtUp();
      await reviews.count();
      return (await metrics.reviewOpen.get()).values[0]!.value;
    };
    const principal = await ingest.workspace();
    const before = await open();
    const edge = { subject: 'Ivy', predicate: 'knows', object: 'Noor', sourceKind: 'ambiguous' as const };
    const text = 'who knows whom is unclear here';
    const { itemId, chunkId } = await ingest.command(principal, 'edge.observe', {
      text,
      edges: [edge],
      surface: 'rest',
    });
    expect(await open()).toBe(before + 1);
    const key = (await ingest.vault.get(principal.workspaceId, itemId)).chunks.get(chunkId)!;
    const ref = edgeRef(key, { subjectKey: 'ivy', predicate: 'knows', objectKey: 'noor' });
    const evidence = [{ itemId, chunkId, edgeRef: ref }];
    await ingest.command(principal, 'edge.review', { edgeId: systemIds.next(), evidence, verdict: 'confirmed' });
    expect(await open()).toBe(before);
  });

  it('has no names left when everything that mentions them is forgotten', async () => {
    const principal = await ingest.workspace();
    const { itemId } = await ingest.command(
      principal,
      'item.store',
      itemData({ text: 'Zoe Quill works at Ramshackle Labs.' }),
    );
    await caughtUp();
    const own = async (table: string) =>
      (await rows(table)).filter((row) => row['workspace_id'] === principal.workspaceId);
    expect((await own('entities')).map(({ key }) => key)).toEqual(
      expect.arrayContaining(['zoe quill', 'ramshackle labs']),
    );
    await ingest.command(principal, 'item.forget', { itemId, surface: 'rest' });
    await caughtUp();
    for (const table of ['entities', 'mentions', 'edges']) expect([table, await own(table)]).toEqual([table, []]);
  });
});
