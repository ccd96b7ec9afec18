import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import {
  embedConsumer,
  OPLOG_STREAM,
  OPLOG_TEXT_FILTERS,
  VECTOR_DIMENSIONS,
  type Principal,
  type VectorModels,
} from '@cairn/contracts';
import { createLogger } from '@cairn/observability';
import { ALWAYS_OURS, VectorModelStore } from '@cairn/op-log';
import { keyedHash, sealVector } from '@cairn/vault';
import { AckPolicy, DeliverPolicy, jetstreamManager } from '@nats-io/jetstream';
import { itemData } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';
import { VectorKeeper } from './vector-keeper.js';

interface Stored {
  readonly itemId: string;
  readonly chunkId: string;
  readonly text: string;
  readonly position: number;
}

const model = (id: string) => ({ id, source: id });
const START = '2026-05-01T00:00:00.000Z';

let ingest: IngestUnderTest;
let admin: Principal;
let store: VectorModelStore;
let keeper: VectorKeeper;
let nowMs = Date.parse(START);
let items: Stored[];
let round = 0;
let [live, next] = ['', ''];

const storeItem = async (text: string): Promise<Stored> => {
  const { itemId, position } = await ingest.command(admin, 'item.store', itemData({ text }));
  const { rows } = await ingest.pool.query<{ id: string }>('select id from library.chunks where item_id = $1', [
    itemId,
  ]);
  return { itemId, chunkId: rows[0]!.id, text, position };
};

/** Publishes a vector as the embedder would, and waits until it is in the table. */
const embed = async ({ itemId, chunkId, text, position }: Stored, id: string, vector: Float32Array): Promise<void> => {
  const { workspaceId: workspace } = admin;
  const key = (await ingest.vault.livingKeys(workspace, itemId))!.chunks.get(chunkId)!;
  const sealed = sealVector(key, workspace, chunkId, vector).toString('base64');
  const textHash = keyedHash(key, text);
  const message = { workspace, itemId, chunkId, textHash, model: id, dims: vector.length, position, vector: sealed };
  await ingest.vectors.publish(message);
  while ((await countOf(id, chunkId)) === 0) await new Promise((resolve) => setTimeout(resolve, 10));
};

const countOf = async (id: string, chunkId?: string): Promise<number> => {
  const { rows } = await ingest.pool.query<{ n: number }>(
    `select count(*)::int as n from vectors.embeddings where model = $1 and ($2::uuid is null or chunk_id = $2)`,
    [id, chunkId ?? null],
  );
  return rows[0]!.n;
};

/** A vector of its own for each number. */
const vectorOf = (n: number): Float32Array =>
  Float32Array.from({ length: VECTOR_DIMENSIONS }, (_, i) => Math.sin(n * (i + 1)));

/** As if the embedder had seen every op. */
const nothingLeftFor = async (id: string): Promise<void> => {
  await (
    await jetstreamManager(ingest.nats)
  ).consumers.add(OPLOG_STREAM, {
    durable_name: embedConsumer(id),
    ack_policy: AckPolicy.Explicit,
    deliver_policy: DeliverPolicy.New,
    filter_subjects: [...OPLOG_TEXT_FILTERS],
  });
};

const begin = async (hold = false): Promise<void> => {
  const models: VectorModels = {
    configured: next,
    live: model(live),
    next: { ...model(next), startedAt: START, hold },
    dropped: [],
  };
  await store.update(() => models);
};

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
  admin = await ingest.workspace();
  store = await VectorModelStore.open(ingest.nats);
  items = [];
  for (const text of ['a red apple', 'a green pear', 'a blue plum']) items.push(await storeItem(text));
  const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
  const { nats, pool, vectors } = ingest;
  keeper = new VectorKeeper({ nats, pool, vectors, store, clock: { now: () => nowMs }, logger, turn: ALWAYS_OURS });
});
afterAll(() => ingest.stop());

beforeEach(async () => {
  [live, next] = [`live-${++round}`, `next-${round}`];
  nowMs = Date.parse(START);
  for (const [i, item] of items.entries()) await embed(item, live, vectorOf(i));
});

describe('keeping the vectors', () => {
  it('lets searches use the next ones when every text has one, and not before', async () => {
    await begin();
    await embed(items[0]!, next, vectorOf(10));
    await embed(items[1]!, next, vectorOf(11));
    await nothingLeftFor(next);
    await keeper.look();
    expect((await store.get())!.live.id).toBe(live);
    await embed(items[2]!, next, vectorOf(12));
    await keeper.look();
    expect(await store.get()).toMatchObject({
      live: model(next),
      previous: { id: live, parity: { sampled: 3, overlapAt10: 1, chunks: 3, liveVectors: 3, nextVectors: 3 } },
      dropped: [],
    });
  });

  it('waits while the embedder has ops left', async () => {
    await begin();
    for (const [i, item] of items.entries()) await embed(item, next, vectorOf(i));
    await keeper.look();
    expect((await store.get())!.live.id).toBe(live);
  });

  it('counts a text that the model refuses as done', async () => {
    await begin();
    await embed(items[0]!, next, vectorOf(1));
    await embed(items[1]!, next, vectorOf(2));
    const { itemId, chunkId, text, position } = items[2]!;
    const key = (await ingest.vault.livingKeys(admin.workspaceId, itemId))!.chunks.get(chunkId)!;
    const refused = { workspace: admin.workspaceId, itemId, chunkId, textHash: keyedHash(key, text), position };
    await ingest.vectors.publish({ ...refused, model: next, dims: VECTOR_DIMENSIONS, vector: null });
    await nothingLeftFor(next);
    while ((await store.get())!.live.id !== next) await keeper.look();
    expect(await countOf(next)).toBe(2);
  });

  it('reports held vectors as complete and leaves searches as they are', async () => {
    await begin(true);
    for (const [i, item] of items.entries()) await embed(item, next, vectorOf(i));
    await nothingLeftFor(next);
    await keeper.look();
    expect(await store.get()).toMatchObject({ live: { id: live }, next: { hold: true, parity: { nextVectors: 3 } } });
  });

  it('removes the previous ones from the table and the log when their time is over, and nothing else', async () => {
    for (const [i, item] of items.entries()) await embed(item, next, vectorOf(i));
    const keptUntil = new Date(nowMs + 1_000).toISOString();
    await store.update(() => ({
      configured: next,
      live: model(next),
      previous: { ...model(live), keptUntil },
      dropped: [],
    }));
    await keeper.look();
    expect([await countOf(live), (await store.get())!.previous?.id]).toEqual([3, live]);
    nowMs += 1_000;
    await keeper.look();
    await keeper.look();
    // Searches that began before may still use them.
    expect([await countOf(live), (await store.get())!.dropped]).toEqual([3, [live]]);
    nowMs += 10_000;
    await keeper.look();
    expect(await store.get()).toEqual({ configured: next, live: model(next), dropped: [] });
    expect([await countOf(live), await countOf(next)]).toEqual([0, 3]);
    const kept = await ingest.vectors.vectorsOf(admin.workspaceId, items[0]!.itemId);
    expect(kept.map(({ message }) => message.model)).not.toContain(live);
    expect(kept.map(({ message }) => message.model)).toContain(next);
  });
});
