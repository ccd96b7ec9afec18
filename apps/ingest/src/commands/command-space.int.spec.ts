import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { purgeWith } from '../erasure/erasure-under-test.harness.js';
import { itemData } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { payloadHashOf } from './prepare.js';

let ingest: IngestUnderTest;
let admin: Principal;
let agent: Principal;

const UNLIMITED = { name: 'knowledge_stored', limit: null } as const;

beforeAll(async () => {
  ingest = await IngestUnderTest.start({ erases: false });
  admin = await ingest.workspace();
  agent = { ...admin, tokenId: systemIds.next(), agentId: 'agent-a', scopes: ['write'] };
}, 60_000);
afterAll(() => ingest.stop());

const store = (who: Principal, text: string, key?: string) =>
  ingest.command(who, 'item.store', itemData({ text }), key);

const forgotten = async (): Promise<string> => {
  const { itemId } = await store(admin, 'To be forgotten.');
  return (await ingest.command(admin, 'item.forget', { itemId, surface: 'rest' })).receiptId;
};

const hasReceipt = async (receiptId: string): Promise<boolean> => {
  const { rows } = await ingest.pool.query(
    'select 1 from library.forgets where receipt_id = $1 and receipt is not null',
    [receiptId],
  );
  return rows.length > 0;
};

/** An op in the form of an earlier build, which used the caller's key as the command id. */
const appendAsBefore = async ({ workspaceId, tokenId, agentId }: Principal, key: string): Promise<void> => {
  const { rows } = await ingest.pool.query<{ head: string; hash: string }>(
    'select head, head_hash as hash from library.workspaces where id = $1',
    [workspaceId],
  );
  const { head, hash } = rows[0]!;
  const outcome = await ingest.log.append(workspaceId, { position: Number(head), hash }, [
    {
      id: systemIds.next(),
      event: { type: 'quota.set', data: UNLIMITED },
      actor: { kind: 'token', tokenId, agentId },
      at: '2026-11-16T12:00:00.000Z',
      commandId: key,
      payloadHash: payloadHashOf(await ingest.vault.secrets(), workspaceId, 'quota.set', UNLIMITED),
      correlationId: 'test',
    },
  ]);
  expect(outcome.kind).toBe('appended');
  // A command is answered once the library has applied everything before it.
  await store(admin, 'Behind it.');
};

describe('a key of a caller', () => {
  it("does not prevent a receipt from being issued, even if it equals the receipt's id", async () => {
    const receiptId = await forgotten();
    await store(agent, 'Under the id of a receipt.', receiptId);
    await purgeWith(ingest);
    expect(await hasReceipt(receiptId)).toBe(true);
  });

  it("does not prevent a correction from being applied, even if it equals the correction's id", async () => {
    const { chunkIds } = await store(admin, 'An old text.');
    const change = { chunkId: chunkIds[0]!, instruction: 'replace old with new' };
    const { correctionId } = await ingest.propose(admin, change);
    await store(admin, 'Under the id of a correction.', correctionId);
    expect(await ingest.command(admin, 'chunk.correct', { correctionId })).toMatchObject({ chunkId: chunkIds[0] });
  });

  it('belongs to its token: another token can use it for a command of its own', async () => {
    const key = systemIds.next();
    const [first, other] = [await store(admin, 'One.', key), await store(agent, 'Two.', key)];
    expect(other.itemId).not.toBe(first.itemId);
    expect(await store(admin, 'One.', key)).toEqual(first);
    expect(await store(agent, 'Two.', key)).toEqual(other);
  });
});

describe('a key that an earlier build used as the id of a command', () => {
  it('does not prevent a receipt from being issued', async () => {
    const receiptId = await forgotten();
    await appendAsBefore(agent, receiptId);
    await purgeWith(ingest);
    expect(await hasReceipt(receiptId)).toBe(true);
  });

  it('identifies the request of its token, and reveals nothing to another token', async () => {
    const key = systemIds.next();
    await appendAsBefore(agent, key);
    const head = await ingest.log.head();
    await ingest.command(agent, 'quota.set', UNLIMITED, key);
    expect(await ingest.log.head()).toBe(head);
    await expect(store(agent, 'Another text.', key)).rejects.toMatchObject({ code: 'idempotency.key_reused' });
    expect(await store(admin, 'Another text.', key)).toMatchObject({ itemId: expect.any(String) });
  });
});
