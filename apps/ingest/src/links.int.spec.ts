import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { LinkType, Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { itemData } from './command-data.builder.js';
import { leftOf } from './erasure/erasure-under-test.harness.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';
import { rebuiltAfterRandomHistories } from './random-history.harness.js';

let ingest: IngestUnderTest;

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
}, 60_000);
afterAll(() => ingest.stop());

const linked = (who: Principal, fromItemId: string, toItemId: string, type: LinkType = 'related') => {
  const links = [{ fromItemId, toItemId, type, confidence: 0.5 }];
  return ingest.command(who, 'link.add', { links, surface: 'rest' });
};

const stored = async (who: Principal, text = 'A note.', inKb = true) =>
  ingest.command(who, 'item.store', itemData({ text, inKb }));

const rowsOf = async (who: Principal) => {
  const { rows } = await ingest.pool.query<{ id: string; type: string; to_gone: boolean }>(
    'select id, type, to_gone from library.memory_links where workspace_id = $1 order by type',
    [who.workspaceId],
  );
  return rows;
};

describe('a link', () => {
  it('is appended once, however many replicas and callers add it at the same time', async () => {
    const admin = await ingest.workspace();
    const [a, b] = [(await stored(admin)).itemId, (await stored(admin)).itemId];
    const other = await ingest.addReplica();
    const links = [{ fromItemId: a, toItemId: b, type: 'related' as const, confidence: 1 }];
    const head = await ingest.log.head();
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, n) => {
        const replica = n % 2 === 0 ? ingest.replicas[0]! : other;
        return ingest.command(admin, 'link.add', { links, surface: 'rest' }, systemIds.next(), replica);
      }),
    );
    expect(new Set(answers.map(({ linkIds }) => linkIds[0])).size).toBe(1);
    expect(await ingest.log.head()).toBe(head + 1);
    expect(await rowsOf(admin)).toHaveLength(1);
    await ingest.removeReplica(other);
  }, 30_000);

  it('is removed with either end, and the receipt proves it; a `derived_from` link to a forgotten item stays, marked as gone', async () => {
    const admin = await ingest.workspace();
    const [a, b, c] = [await stored(admin), await stored(admin), await stored(admin)].map(({ itemId }) => itemId);
    for (const type of ['related', 'derived_from'] as const)
      for (const [from, to] of [
        [a, b],
        [b, c],
      ] as const)
        await linked(admin, from!, to!, type);
    const { receiptId } = await ingest.command(admin, 'item.forget', { itemId: b!, surface: 'rest' });
    expect(await rowsOf(admin)).toMatchObject([{ type: 'derived_from', to_gone: true }]);
    const left = await leftOf(ingest, receiptId);
    expect([left['graph'], left['library']]).toEqual([0, 0]);
    await ingest.command(admin, 'item.forget', { itemId: a!, surface: 'rest' });
    expect(await rowsOf(admin)).toEqual([]);
  });
});

it('the tables of links are the same after a rebuild, whatever was forgotten in between', async () => {
  const done = await rebuiltAfterRandomHistories(ingest, {
    kinds: [
      'store',
      'link',
      'link',
      'link',
      'unlink',
      'commit',
      'attach',
      'correct',
      'forget',
      'forget',
      'forget chunk',
    ],
    stepsMax: 24,
    runs: 6,
    seed: 1,
  });
  expect(done).toEqual(expect.arrayContaining(['forget commit', 'forget file', 'forget log-card']));
}, 240_000);
