import { describe, expect, it } from '@jest/globals';
import { GENESIS_HASH, type DomainEvent, type ErasedOp } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { type NewOp, type StoredOp, type WorkspaceHead } from '@cairn/op-log';
import { InMemoryOpLog } from '@cairn/op-log/testing';
import { ChainCheck } from './chain-check.js';

const WORKSPACE = systemIds.next();
const [ITEM, FOLDER, RECEIPT] = [systemIds.next(), systemIds.next(), systemIds.next()];

const opOf = (event: DomainEvent): NewOp => ({
  id: systemIds.next(),
  event,
  actor: { kind: 'system', tokenId: systemIds.next(), agentId: 'test' },
  at: '2026-11-16T12:00:00.000Z',
  commandId: systemIds.next(),
  correlationId: 'test',
});
const anyOp = (): NewOp => opOf({ type: 'token.revoked', data: { tokenId: systemIds.next() } });

/** Five ops, and a sixth that lists the third and the fourth as erased; all in one log. */
const aLog = async (): Promise<{ log: InMemoryOpLog; erased: ErasedOp[] }> => {
  const log = new InMemoryOpLog();
  let head: WorkspaceHead = { position: 0, hash: GENESIS_HASH };
  const append = async (...ops: NewOp[]) => {
    const outcome = await log.append(WORKSPACE, head, ops);
    if (outcome.kind !== 'appended') throw new Error(outcome.kind);
    head = outcome.ops.at(-1)!;
    return outcome.ops;
  };
  const ops = await append(anyOp(), anyOp(), anyOp(), anyOp(), anyOp());
  const erased = ops.slice(2, 4).map(({ data: _, ...envelope }) => envelope);
  const data = { itemId: ITEM, folderId: FOLDER, chunkIds: [], receiptId: RECEIPT, erased, more: false };
  await append(opOf({ type: 'item.forgotten', data }), anyOp());
  return { log, erased };
};

const check = async (log: InMemoryOpLog): Promise<ChainCheck> => {
  const checked = new ChainCheck();
  const ops: readonly StoredOp[] = await log.read(1).next(100, 0);
  for (const op of ops) checked.take(op);
  return checked;
};

describe('the hash chain check', () => {
  it('finds nothing in a complete log', async () => {
    const { log } = await aLog();
    const checked = await check(log);
    expect(checked.judge()).toEqual([]);
    expect(checked.erased).toEqual([]);
  });

  it.each([[[3]], [[4]], [[3, 4]]])('accepts the holes %j, which a later op explains', async (holes) => {
    const { log } = await aLog();
    await log.erase(holes);
    const checked = await check(log);
    expect(checked.judge()).toEqual([]);
    expect(checked.erased).toEqual(holes);
  });

  it.each([
    [[2], [2, 3]],
    [[5], [5, 6]],
    [
      [3, 5],
      [5, 6],
    ],
    [
      [2, 3, 4],
      [2, 5],
    ],
  ])('reports unexplained holes: %j', async (holes, named) => {
    const { log } = await aLog();
    await log.erase(holes);
    expect((await check(log)).judge().map(({ position }) => position)).toEqual(named);
  });

  it('rejects an explanation whose hash does not match the chain', async () => {
    const { log, erased } = await aLog();
    await log.erase([3, 4]);
    const checked = await check(log);
    const [first, second] = erased;
    checked.explained.set(3, { op: { ...first!, hash: 'f'.repeat(64) }, itemId: ITEM });
    checked.explained.set(4, { op: second!, itemId: ITEM });
    expect(checked.judge()).toEqual([{ position: 5, problem: 'does not follow the op before it in its workspace' }]);
  });
});
