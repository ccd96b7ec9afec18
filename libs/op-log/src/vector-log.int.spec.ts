import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { VectorMessage } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { TestNats } from '@cairn/testing';
import { ensureStreams } from './streams.js';
import { VectorLog } from './vector-log.js';

let broker: TestNats;
let log: VectorLog;

beforeAll(async () => {
  broker = await TestNats.start();
  const nats = await broker.connect();
  await ensureStreams(nats);
  log = new VectorLog(nats);
});
afterAll(() => broker.stop());

const vector = (): VectorMessage => ({
  workspace: systemIds.next(),
  itemId: systemIds.next(),
  chunkId: systemIds.next(),
  textHash: 'a'.repeat(64),
  model: 'test-model',
  dims: 2,
  position: 7,
  vector: 'AAAA',
});

const after = async (position: number, count: number): Promise<VectorMessage[]> => {
  const reader = log.read(position + 1);
  const found: VectorMessage[] = [];
  while (found.length < count) found.push(...(await reader.next(count, 1_000)).map(({ message }) => message));
  await reader.close();
  return found;
};

describe('VECTORS', () => {
  it('keeps one vector, and several of different workspaces in their order', async () => {
    const head = await log.head();
    const [one, ...several] = [vector(), vector(), vector(), vector()];
    await log.publish(one);
    await log.publish(...several);
    expect(await after(head, 4)).toEqual([one, ...several]);
  });

  it('stores the rest of a batch when one vector is already stored, and keeps that one once', async () => {
    const head = await log.head();
    const [known, ...fresh] = [vector(), vector(), vector()];
    await log.publish(known);
    await log.publish(fresh[0], known, fresh[1]);
    expect(await log.head()).toBe(head + 3);
    const found = await after(head, 3);
    expect(found.map(({ chunkId }) => chunkId).sort()).toEqual([known, ...fresh].map(({ chunkId }) => chunkId).sort());
  });

  it('stores the vector of a text that was given up before', async () => {
    const head = await log.head();
    const computed = vector();
    const failed = { ...computed, vector: null };
    for (const message of [failed, failed, computed]) await log.publish(message);
    expect(await log.head()).toBe(head + 2);
    expect(await after(head, 2)).toEqual([failed, computed]);
  });

  it('[N-59] finds the vectors of an item, or of a chunk, and erases them', async () => {
    const [one, other, stranger] = [vector(), vector(), vector()];
    const sibling = { ...other, workspace: one.workspace, itemId: one.itemId };
    await log.publish(one, stranger, sibling);
    const head = await log.head();
    const of = (chunkIds?: string[]) => log.positionsOf(one.workspace, one.itemId, chunkIds);
    expect(await of()).toEqual([head - 2, head]);
    expect(await of([sibling.chunkId])).toEqual([head]);
    for (let i = 0; i < 2; i++) await log.erase(await of([sibling.chunkId]));
    expect(await of()).toEqual([head - 2]);
    // The newest that still exists, not the newest that ever did: no reader could reach that one.
    expect(await log.head()).toBe(head - 1);
  });
});
