import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { homeOf, nextSlotName, promoteSlot } from '@cairn/projections';
import { itemData, longText } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { dropBeside, hashesOf, OP_PROJECTIONS, replayBeside } from '../rebuilt.harness.js';
import { leftOf, NOTHING_LEFT, purgeWith, workerOf } from './erasure-under-test.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  admin = await ingest.workspace();
}, 60_000);
afterAll(() => ingest.stop());
afterEach(() => dropBeside(ingest.stores));

const hashes = (slotOf: (name: string) => string) => hashesOf(ingest.stores, slotOf, OP_PROJECTIONS);

const store = (text: string) =>
  ingest.command(admin, 'item.store', itemData({ text, clientToken: systemIds.next(), title: 'A rare title' }));
const forget = (itemId: string) => ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });

/** A text that waits for a person to choose its folder. */
const waiting = async (): Promise<string> => {
  const data = {
    text: 'A text that waits.',
    label: 'Waiting',
    kind: 'clip',
    name: `Folder ${systemIds.next()}`,
  } as const;
  const answer = await ingest.command(admin, 'item.remember', data);
  if (answer.outcome !== 'waiting') throw new Error('does not wait');
  return answer.confirmationId;
};

describe('a version that is built beside the live one', () => {
  it('[N-59] loses what is forgotten after it was built, and equals the live version once it has caught up', async () => {
    const [gone, partly] = [await store(longText(5)), await store(longText(3))];
    const commit = {
      folderName: 'Inbox',
      text: 'A commit.',
      extra: { links: [{ toItemId: partly.itemId, type: 'related' }] },
    };
    const linking = await ingest.command(admin, 'item.commit', commit);
    const confirmationId = await waiting();
    await replayBeside(ingest.stores, OP_PROJECTIONS);
    await ingest.command(admin, 'item.update', { itemId: gone.itemId, title: 'Another title' });
    const { itemId } = await ingest.command(admin, 'confirmation.resolve', { confirmationId, action: 'create' });
    const receipts = [
      await forget(gone.itemId),
      await forget(itemId!),
      await ingest.command(admin, 'chunk.forget', { chunkId: partly.chunkIds[1]!, surface: 'rest' }),
      await forget(linking.itemId),
    ].map(({ receiptId }) => receiptId);
    const n = gone.chunkIds.length;
    expect(await leftOf(ingest, receipts[0]!)).toMatchObject({ library: 1 + 2 * n, lexical: n, archive: 1 });
    expect(await leftOf(ingest, receipts[1]!)).toMatchObject({ library: 1 });
    expect(await leftOf(ingest, receipts[2]!)).toMatchObject({ library: 2, lexical: 1 });
    await (await workerOf(ingest)).round();
    for (const receiptId of receipts) expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
    const { rows: hashed } = await ingest.pool.query(
      'select 1 from library_next.commands where entity_id = any ($1::uuid[]) and payload_hash is not null',
      [[gone.itemId, linking.itemId]],
    );
    expect(hashed).toEqual([]);
    await purgeWith(ingest);
    const { rows } = await ingest.pool.query<{ receipt_id: string }>(
      'select receipt_id from library.forgets where receipt is not null',
    );
    expect(rows.map((row) => row.receipt_id).sort()).toEqual([...receipts].sort());
    await replayBeside(ingest.stores, OP_PROJECTIONS);
    const live = await hashes((name) => name);
    expect(await hashes(nextSlotName)).toEqual(live);
    for (const projection of OP_PROJECTIONS) {
      const { shape } = homeOf(projection, ingest.stores);
      expect(await promoteSlot(ingest.pool, { name: projection.name, ...shape })).toBe(true);
    }
    expect(await hashes((name) => name)).toEqual(live);
  }, 120_000);
});
