import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { Projector } from '@cairn/op-log';
import {
  archiveProjection,
  dropSlot,
  ensureSlot,
  hashTables,
  libraryProjection,
  nextSlotName,
  postgresLexicalProjection,
  PostgresTarget,
  promoteSlot,
  type PostgresProjection,
} from '@cairn/projections';
import { itemData, longText } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { leftOf, NOTHING_LEFT, purgeWith, workerOf } from './erasure-under-test.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;
let projections: PostgresProjection<never>[];

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  admin = await ingest.workspace();
  projections = [libraryProjection(ingest.vault), postgresLexicalProjection(ingest.vault), archiveProjection];
}, 60_000);
afterAll(() => ingest.stop());
afterEach(async () => {
  for (const { name } of projections) await dropSlot(ingest.pool, nextSlotName(name));
});

/** What `cairn oplog replay` does: fills the next version up to the head, and leaves it there. */
const replayBeside = async (): Promise<void> => {
  for (const projection of projections) {
    const slot = nextSlotName(projection.name);
    await ensureSlot(ingest.pool, projection, { name: slot, version: 2, epoch: 2 }, { indexes: 'later' });
    const target = new PostgresTarget(ingest.pool, [{ projection, slot }]);
    await new Projector<never>(target, (from) => ingest.log.read(from) as never).runTo(await ingest.log.head());
  }
};

const hashes = (schemaOf: (name: string) => string) =>
  Promise.all(projections.map(({ name, tableNames }) => hashTables(ingest.pool, schemaOf(name), tableNames)));

const store = (text: string) =>
  ingest.command(admin, 'item.store', itemData({ text, clientToken: systemIds.next(), title: 'A rare title' }));
const forget = (itemId: string) => ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });

/** A text that waits for a person to say where it goes. */
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
  it('[N-59] loses what is forgotten after it was built, and is the same as live once it has caught up', async () => {
    const [gone, partly] = [await store(longText(5)), await store(longText(3))];
    const confirmationId = await waiting();
    await replayBeside();
    await ingest.command(admin, 'item.update', { itemId: gone.itemId, title: 'Another title' });
    const { itemId } = await ingest.command(admin, 'confirmation.resolve', { confirmationId, action: 'create' });
    const receipts = [
      await forget(gone.itemId),
      await forget(itemId!),
      await ingest.command(admin, 'chunk.forget', { chunkId: partly.chunkIds[1]!, surface: 'rest' }),
    ].map(({ receiptId }) => receiptId);
    const n = gone.chunkIds.length;
    expect(await leftOf(ingest, receipts[0]!)).toMatchObject({ library: 1 + 2 * n, lexical: n, archive: 1 });
    expect(await leftOf(ingest, receipts[1]!)).toMatchObject({ library: 1 });
    expect(await leftOf(ingest, receipts[2]!)).toMatchObject({ library: 2, lexical: 1 });
    await (await workerOf(ingest)).round();
    for (const receiptId of receipts) expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
    const { rows: hashed } = await ingest.pool.query(
      'select 1 from library_next.commands where entity_id = $1 and payload_hash is not null',
      [gone.itemId],
    );
    expect(hashed).toEqual([]);
    await purgeWith(ingest);
    const { rows } = await ingest.pool.query<{ receipt_id: string }>(
      'select receipt_id from library.forgets where receipt is not null',
    );
    expect(rows.map((row) => row.receipt_id).sort()).toEqual([...receipts].sort());
    await replayBeside();
    const live = await hashes((name) => name);
    expect(await hashes(nextSlotName)).toEqual(live);
    for (const projection of projections) expect(await promoteSlot(ingest.pool, projection)).toBe(true);
    expect(await hashes((name) => name)).toEqual(live);
  }, 120_000);
});
