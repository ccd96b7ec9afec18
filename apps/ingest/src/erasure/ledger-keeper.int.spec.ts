import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { FORGOTTEN_STREAM, type LedgerEntry, type Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { ForgetLedger } from '@cairn/op-log';
import { LEDGER_CHECKPOINT, readSlot } from '@cairn/projections';
import { JetStreamKeyStore, type KeyRecord } from '@cairn/vault';
import { jetstreamManager } from '@nats-io/jetstream';
import { itemData, longText } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { leftOf, NOTHING_LEFT, purgeWith, workerOf } from './erasure-under-test.harness.js';

let ingest: IngestUnderTest;
let admin: Principal;
let ledger: ForgetLedger;

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  admin = await ingest.workspace();
  ledger = new ForgetLedger(ingest.nats);
}, 60_000);
afterAll(() => ingest.stop());

const store = (chunks = 1) => ingest.command(admin, 'item.store', itemData({ text: longText(chunks) }));
const forgetItem = (itemId: string) => ingest.command(admin, 'item.forget', { itemId, surface: 'rest' });
const forgetChunk = (chunkId: string) => ingest.command(admin, 'chunk.forget', { chunkId, surface: 'rest' });

const entryOf = (more: Partial<LedgerEntry> & Pick<LedgerEntry, 'itemId'>): LedgerEntry => ({
  receiptId: systemIds.next(),
  workspaceId: admin.workspaceId,
  chunkId: null,
  confirmationId: null,
  ...more,
});

const inLedger = async (receiptId: string): Promise<LedgerEntry[]> =>
  (await ledger.read()).entries.filter((entry) => entry.receiptId === receiptId);

/** A start, as after a restore; the previous process continues next to it. */
const startAgain = async (): Promise<void> => ingest.removeReplica(await ingest.addReplica());

const checkpoint = async (): Promise<number> => (await readSlot(ingest.pool, LEDGER_CHECKPOINT))!.checkpoint.position;

describe('the forget ledger', () => {
  it('[N-59] contains a forgetting, by ids only, when it is answered', async () => {
    const { itemId } = await store();
    const { receiptId } = await forgetItem(itemId);
    expect(await inLedger(receiptId)).toEqual([entryOf({ itemId, receiptId })]);
    const whole = await store(3);
    const chunkId = whole.chunkIds[1]!;
    const single = await forgetChunk(chunkId);
    expect(await inLedger(single.receiptId)).toEqual([
      entryOf({ itemId: whole.itemId, receiptId: single.receiptId, chunkId }),
    ]);
    expect(await checkpoint()).toBe((await ledger.read()).last);
  });

  it('[N-59] lists the whole item if it went with its last chunk', async () => {
    const { itemId, chunkIds } = await store();
    const { receiptId } = await forgetChunk(chunkIds[0]!);
    expect(await inLedger(receiptId)).toEqual([entryOf({ itemId, receiptId })]);
  });

  it('[N-59] is written before the first key is destroyed, and no key is destroyed if that fails', async () => {
    const { itemId } = await store();
    const { receiptId } = await forgetItem(itemId);
    const worker = await workerOf(ingest, { record: () => Promise.reject(new Error('no ledger')) });
    await expect(worker.round()).rejects.toThrow('no ledger');
    expect(await leftOf(ingest, receiptId)).toMatchObject({ KEYS: 1, OPLOG: 1 });
    const recorded: string[] = [];
    const healed = await workerOf(ingest, { record: (ids) => Promise.resolve(void recorded.push(...ids)) });
    await healed.round();
    expect(recorded).toContain(receiptId);
    expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
  });

  it('[N-59] gets missing forgettings at the next start, and none twice', async () => {
    const { receiptId } = await forgetItem((await store()).itemId);
    const before = (await ledger.read()).entries;
    await (await jetstreamManager(ingest.nats)).streams.delete(FORGOTTEN_STREAM);
    await startAgain();
    const { entries, last } = await ledger.read();
    expect(new Set(entries)).toEqual(new Set(before));
    expect(await inLedger(receiptId)).toHaveLength(1);
    expect(await checkpoint()).toBe(last);
    await startAgain();
    expect((await ledger.read()).last).toBe(last);
  });
});

describe('content that an earlier copy brings back', () => {
  it('[N-59] is forgotten again at the start, under its original receipt', async () => {
    const [item, parts, stays] = [await store(), await store(3), await store()];
    const chunkId = parts.chunkIds[1]!;
    const [whole, single] = [entryOf({ itemId: item.itemId }), entryOf({ itemId: parts.itemId, chunkId })];
    await ledger.add([whole, single]);
    await startAgain();
    const { rows } = await ingest.pool.query<{ id: string }>('select id from library.items where id = any ($1)', [
      [item.itemId, parts.itemId, stays.itemId],
    ]);
    expect(rows.map(({ id }) => id).sort()).toEqual([parts.itemId, stays.itemId].sort());
    const { rows: bodies } = await ingest.pool.query('select 1 from library.bodies where chunk_id = $1', [chunkId]);
    expect(bodies).toEqual([]);
    await purgeWith(ingest);
    for (const { receiptId } of [whole, single]) {
      expect(await leftOf(ingest, receiptId)).toEqual(NOTHING_LEFT);
      const receipts = 'select receipt from library.forgets where receipt_id = $1';
      const [row] = (await ingest.pool.query<{ receipt: object | null }>(receipts, [receiptId])).rows;
      expect(row!.receipt).toMatchObject({ receiptId });
    }
    const { rows: ops } = await ingest.pool.query<{ actor: object }>(
      `select convert_from(body, 'UTF8')::jsonb -> 'actor' as actor from archive.ops
       where type = 'item.forgotten' and item_id = $1`,
      [item.itemId],
    );
    expect(ops).toMatchObject([{ actor: { kind: 'system' } }]);
  });

  it.each([
    ['waited for', false],
    ['was discarded and restored before', true],
  ])('[N-59] includes a text that %s the decision that made it the item', async (_, isDiscarded) => {
    const waiting = await ingest.command(admin, 'item.remember', {
      text: isDiscarded ? 'It was discarded.' : 'It waits.',
      label: 'Waiting',
      kind: 'clip',
      name: 'No such folder',
    });
    const { confirmationId } = waiting as { confirmationId: string };
    if (isDiscarded) await ingest.command(admin, 'confirmation.resolve', { confirmationId, action: 'dismiss' });
    await ledger.add([entryOf({ itemId: systemIds.next(), confirmationId })]);
    await startAgain();
    const { rows } = await ingest.pool.query('select sealed from library.confirmations where id = $1', [
      confirmationId,
    ]);
    expect(rows).toEqual([{ sealed: null }]);
    expect(await ingest.vault.hasKeys(admin.workspaceId, confirmationId)).toBe(false);
  });

  it('[N-59] includes the key of something that the log has forgotten', async () => {
    const keys = await JetStreamKeyStore.open(ingest.nats);
    const [item, parts] = [await store(), await store(3)];
    const chunkId = parts.chunkIds[1]!;
    const earlier = async (itemId: string): Promise<KeyRecord> => (await keys.get(admin.workspaceId, itemId))!;
    const [ofItem, ofParts] = [await earlier(item.itemId), await earlier(parts.itemId)];
    await forgetItem(item.itemId);
    await forgetChunk(chunkId);
    await purgeWith(ingest);
    await keys.put(admin.workspaceId, item.itemId, ofItem);
    await keys.put(admin.workspaceId, parts.itemId, ofParts);
    await startAgain();
    expect(await ingest.vault.hasKeys(admin.workspaceId, item.itemId)).toBe(false);
    expect(await ingest.vault.hasKeys(admin.workspaceId, parts.itemId, chunkId)).toBe(false);
    expect(await ingest.vault.hasKeys(admin.workspaceId, parts.itemId, parts.chunkIds[0])).toBe(true);
  });
});
