import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { systemClock } from '@cairn/kernel';
import { createMetrics, type Logger } from '@cairn/observability';
import { forgettingBacklog, readSlot } from '@cairn/projections';
import type { Vault } from '@cairn/vault';
import { itemData } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { leftOf, NOTHING_LEFT, purgeWith, workerOf } from './erasure-under-test.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  admin = await ingest.workspace();
}, 60_000);
afterAll(() => ingest.stop());

const forgotten = async () => {
  const { itemId } = await ingest.command(admin, 'item.store', itemData());
  const { receiptId } = await ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });
  return { itemId, receiptId };
};

const isShredded = async (receiptId: string): Promise<boolean> =>
  (await ingest.pool.query('select 1 from cairn.erasures where receipt_id = $1', [receiptId])).rows.length > 0;

const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  for (const end = Date.now() + 20_000; !(await isSo()); await new Promise((resolve) => setTimeout(resolve, 5)))
    if (Date.now() > end) throw new Error('it did not come true');
};

/** Cannot destroy the keys of one item. */
const vaultFailingFor = (itemId: string): Vault => {
  const vault = Object.create(ingest.vault) as Vault;
  vault.destroy = (workspaceId, id) =>
    id === itemId ? Promise.reject(new Error('not this one')) : ingest.vault.destroy(workspaceId, id);
  return vault;
};

/** An OpenSearch without documents. */
const openSearch = (purge: () => Promise<unknown> = () => Promise.resolve({})) =>
  ({
    indices: {
      get: () => Promise.resolve({ body: {} }),
      refresh: () => Promise.resolve({}),
      flush: purge,
      forcemerge: () => Promise.resolve({}),
      stats: () => Promise.resolve({ body: { indices: {} } }),
    },
    count: () => Promise.resolve({ body: { count: 0 } }),
    search: () => Promise.resolve({ body: { hits: { hits: [] } } }),
    deleteByQuery: () => Promise.resolve({}),
  }) as never;

describe('shredding', () => {
  it('[N-59] destroys the keys before anything else', async () => {
    const { receiptId } = await forgotten();
    const killed = await workerOf(ingest, {
      onStep: (store) => {
        if (store !== 'KEYS') throw new Error(`killed before ${store}`);
      },
    });
    await expect(killed.round()).rejects.toThrow('killed before');
    expect(await leftOf(ingest, receiptId)).toMatchObject({ KEYS: 0, OPLOG: 1 });
    await purgeWith(ingest);
  });

  it('[N-59] does not wait behind forgettings that are shredded but not purged, however many', async () => {
    await ingest.pool.query(
      `with waiting as (
         insert into library.forgets (receipt_id, workspace_id, item_id, chunk_ids, source_removed, erased, position, forgotten_at)
         select gen_random_uuid(), $1, gen_random_uuid(), '{}', true, '{}', -n, now() from generate_series(1, 1100) n
         returning receipt_id
       )
       insert into cairn.erasures (receipt_id, shredded_at) select receipt_id, now() from waiting`,
      [admin.workspaceId],
    );
    const { receiptId } = await forgotten();
    await (await workerOf(ingest)).round();
    expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
    await ingest.pool.query('delete from library.forgets where position < 0');
  });

  it('[N-59] continues with the others when one fails, reports the failed one, and counts it', async () => {
    const [stuck, other] = [await forgotten(), await forgotten()];
    const warnings: object[] = [];
    const logger = { warn: (details: object) => void warnings.push(details) } as unknown as Logger;
    const metrics = createMetrics();
    const worker = await workerOf(ingest, { vault: vaultFailingFor(stuck.itemId), logger, metrics });
    await worker.round();
    expect(await leftOf(ingest, other.receiptId)).toEqual(NOTHING_LEFT);
    expect([await isShredded(stuck.receiptId), await isShredded(other.receiptId)]).toEqual([false, true]);
    expect(warnings).toEqual([expect.objectContaining({ receiptId: stuck.receiptId, store: 'KEYS' })]);
    const pending = (await metrics.forgetPending.get()).values;
    expect(pending).toContainEqual(expect.objectContaining({ labels: { stage: 'shred' }, value: 1 }));
    const ages = (await metrics.forgetStageAge.get()).values;
    expect(ages.find(({ labels }) => labels.stage === 'shred')!.value).toBeGreaterThan(0);
    await purgeWith(ingest);
    expect(await leftOf(ingest, stuck.receiptId)).toEqual(NOTHING_LEFT);
  });

  it('is complete only when the keyword index, a separate follower, has passed it', async () => {
    const { receiptId } = await forgotten();
    const worker = await workerOf(ingest, { openSearch: openSearch() });
    const moveIndex = (by: number) =>
      ingest.pool.query(`update cairn.projections set position = position + $1 where name = 'lexical'`, [by]);
    await moveIndex(-1);
    await worker.round();
    expect(await leftOf(ingest, receiptId)).toMatchObject({ KEYS: 0, OPLOG: 0 });
    expect(await isShredded(receiptId)).toBe(false);
    await moveIndex(1);
    await worker.round();
    expect(await isShredded(receiptId)).toBe(true);
    await purgeWith(ingest);
  });
});

describe('a purge', () => {
  it('[N-59] does not delay the shredding of later forgettings, and is awaited at shutdown', async () => {
    await forgotten();
    const release: (() => void)[] = [];
    let issued = 0;
    const worker = await workerOf(ingest, {
      issue: () => new Promise<void>((resolve) => release.push(resolve)).then(() => void issued++),
    });
    worker.start();
    worker.purgeSoon();
    await until(() => release.length > 0);
    const { receiptId } = await forgotten();
    worker.poke();
    const outcome = await until(() => isShredded(receiptId)).then(
      () => 'shredded',
      () => 'waiting',
    );
    const stopped = worker.stop();
    expect(issued).toBe(0);
    release.forEach((now) => now());
    await stopped;
    expect([outcome, issued]).toEqual(['shredded', 1]);
    await purgeWith(ingest);
  }, 60_000);

  it('[N-59] rewrites every table whose dead rows may hold a text or a key beside its ciphertext', async () => {
    const tables = ['items', 'bodies', 'chunks', 'confirmations'].map((table) => `library.${table}`);
    const files = async () =>
      (
        await ingest.pool.query<{ file: number }>(
          'select pg_relation_filenode(t::regclass)::int as file from unnest($1::text[]) t',
          [[...tables, 'lexical.documents', 'vectors.embeddings']],
        )
      ).rows.map(({ file }) => file);
    const before = await files();
    await forgotten();
    await purgeWith(ingest);
    expect((await files()).filter((file) => before.includes(file))).toEqual([]);
  });

  it('rewrites nothing while OpenSearch is unavailable, and is not retried at once', async () => {
    await forgotten();
    let [nowMs, tries] = [systemClock.now(), 0];
    const unavailable = openSearch(() => Promise.reject(new Error(`unavailable ${++tries}`)));
    const worker = await workerOf(ingest, { openSearch: unavailable, clock: { now: () => nowMs } });
    const before = await readSlot(ingest.pool, 'vectors');
    worker.purgeSoon();
    await expect(worker.round()).rejects.toThrow('unavailable 1');
    expect(await readSlot(ingest.pool, 'vectors')).toEqual(before);
    worker.purgeSoon();
    await worker.round();
    expect(tries).toBe(1);
    nowMs += 60_000;
    await expect(worker.round()).rejects.toThrow('unavailable 2');
    await purgeWith(ingest);
    expect(await forgettingBacklog(ingest.pool)).toMatchObject({ unshredded: 0, shredded: 0 });
  });
});
