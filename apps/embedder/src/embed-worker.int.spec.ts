import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { embedConsumer, eventDefinition, fail, GENESIS_HASH, OPLOG_STREAM, type StoredChunk } from '@cairn/contracts';
import { type EmbeddingModel, type Recipe } from '@cairn/embedding';
import { HashingEmbeddingModel } from '@cairn/embedding/testing';
import { systemIds } from '@cairn/kernel';
import type { NatsConnection } from '@cairn/messaging';
import { createLogger, createMetrics } from '@cairn/observability';
import {
  ensureStreams,
  JetStreamOpLog,
  VectorLog,
  type AppendOutcome,
  type EntryReader,
  type StoredVector,
  type WorkspaceHead,
} from '@cairn/op-log';
import { TestNats } from '@cairn/testing';
import {
  createKek,
  JetStreamKeyStore,
  KeyRing,
  keyedHash,
  openVector,
  sealMeta,
  sealText,
  Vault,
  type ItemKeys,
} from '@cairn/vault';
import { AckPolicy, DeliverPolicy, jetstreamManager, type ConsumerInfo } from '@nats-io/jetstream';
import { EmbedWorker } from './embed-worker.js';

/** The definition that a replica of the next version would have. */
const ItemStored = eventDefinition('item.stored') as {
  version: number;
  upcasters: Record<number, (data: unknown) => unknown>;
};

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
const hashing = new HashingEmbeddingModel();

let broker: TestNats;
let nats: NatsConnection;
let log: JetStreamOpLog;
let vault: Vault;
let vectors: EntryReader<StoredVector>;
const workers: EmbedWorker[] = [];

beforeAll(async () => {
  broker = await TestNats.start();
  nats = await broker.connect();
  await ensureStreams(nats);
  log = await JetStreamOpLog.open(nats);
  vault = new Vault(new KeyRing({ kek: createKek() }), await JetStreamKeyStore.create(nats, 1));
});
afterAll(() => broker.stop());

beforeEach(async () => {
  vectors = new VectorLog(nats).read((await new VectorLog(nats).head()) + 1);
});
afterEach(async () => {
  await Promise.all(workers.splice(0).map((worker) => worker.close()));
  await vectors.close();
});

const startWorker = (model: EmbeddingModel = hashing, recipe: Recipe = 1, metrics = createMetrics()): EmbedWorker => {
  const worker = new EmbedWorker({
    nats,
    vectors: new VectorLog(nats),
    vault,
    maker: { id: model.id, model, recipe },
    logger,
    metrics,
    retryMs: 1,
    heldRetryMs: 1,
  });
  worker.start();
  workers.push(worker);
  return worker;
};

/** The hashing model with another embedding function. */
const modelThat = (embed: EmbeddingModel['embed'], id = hashing.id): EmbeddingModel => ({
  id,
  label: 'Odd',
  dimensions: 384,
  problem: undefined,
  passagesAtOnce: 4,
  embed,
  close: () => Promise.resolve(),
});

interface Stored {
  readonly workspaceId: string;
  readonly itemId: string;
  readonly keys: ItemKeys;
  readonly chunks: readonly StoredChunk[];
  readonly head: WorkspaceHead;
}

const headOf = (outcome: AppendOutcome): WorkspaceHead => {
  if (outcome.kind !== 'appended') throw new Error(`not appended: ${outcome.kind}`);
  const { position, hash } = outcome.ops.at(-1)!;
  return { position, hash };
};

interface StoreOptions {
  readonly inKb?: boolean;
  readonly keepKeys?: boolean;
  /** An item whose workspace the new item joins. */
  readonly after?: Stored | undefined;
}

const store = async (
  texts: readonly string[],
  { inKb = true, keepKeys = true, after }: StoreOptions = {},
): Promise<Stored> => {
  const [workspaceId, itemId] = [after?.workspaceId ?? systemIds.next(), systemIds.next()];
  const chunkIds = texts.map(() => systemIds.next());
  const keys = vault.mint(workspaceId, itemId, chunkIds);
  if (keepKeys) await vault.keep(workspaceId, itemId, keys);
  const chunks = texts.map((text, ordinal): StoredChunk => {
    const chunkId = chunkIds[ordinal]!;
    const key = keys.chunks.get(chunkId)!;
    const sealed = sealText(key, workspaceId, chunkId, text).toString('base64');
    return { chunkId, ordinal, text: sealed, textHash: keyedHash(key, text), tokens: 1 };
  });
  const meta = sealMeta(keys.item, workspaceId, itemId, { title: 'T', tags: [] }).toString('base64');
  const data = {
    itemId,
    folderId: systemIds.next(),
    inKb,
    kind: 'knowledge' as const,
    sourceKind: 'agent' as const,
    createdByAgentId: 'agent',
    confidence: 80,
    expiresAt: null,
    clientToken: null,
    payloadHash: 'a'.repeat(64),
    meta,
    chunkCount: chunks.length,
    chunks,
  };
  const actor = { kind: 'system' as const, tokenId: systemIds.next(), agentId: 'agent' };
  const shared = { id: systemIds.next(), actor, at: new Date(0).toISOString(), commandId: systemIds.next() };
  const op = { ...shared, correlationId: 'test', event: { type: 'item.stored' as const, data } };
  const outcome = await log.append(workspaceId, after?.head ?? { position: 0, hash: GENESIS_HASH }, [op]);
  return { workspaceId, itemId, keys, chunks, head: headOf(outcome) };
};

/** Another op of an item that repeats its chunks. */
const place = async (
  stored: Stored,
  { inKb, wasInKb }: { readonly inKb: boolean; readonly wasInKb: boolean },
): Promise<Stored> => {
  const { workspaceId, itemId, chunks } = stored;
  const placed = { itemId, folderId: systemIds.next(), inKb, wasInKb, superseded: false, expiresAt: null, meta: '' };
  const actor = { kind: 'system' as const, tokenId: systemIds.next(), agentId: 'agent' };
  const shared = { actor, at: new Date(0).toISOString(), commandId: systemIds.next(), correlationId: 'test' };
  const [first, ...further] = inKb ? chunks : [];
  const placing = { ...placed, payloadHash: 'a'.repeat(64), chunks: first ? [first] : [] };
  const outcome = await log.append(workspaceId, stored.head, [
    { ...shared, id: systemIds.next(), event: { type: 'item.placed', data: placing } },
    { ...shared, id: systemIds.next(), event: { type: 'item.extended', data: { ...placed, chunks: further } } },
  ]);
  return { ...stored, head: headOf(outcome) };
};

/** A new text for the first chunk of an item. */
const correct = async (stored: Stored, text: string, inKb = true): Promise<StoredChunk & { position: number }> => {
  const { workspaceId, itemId, keys, chunks } = stored;
  const { chunkId, ordinal, text: oldText, textHash: oldTextHash } = chunks[0]!;
  const key = keys.chunks.get(chunkId)!;
  const newText = sealText(key, workspaceId, chunkId, text).toString('base64');
  const textHash = keyedHash(key, text);
  const placed = { itemId, folderId: systemIds.next(), inKb, superseded: false, expiresAt: null, meta: '' };
  const data = {
    ...placed,
    chunkId,
    correctionId: systemIds.next(),
    ordinal,
    oldText,
    newText,
    oldTextHash,
    textHash,
    tokens: 1,
  };
  const actor = { kind: 'system' as const, tokenId: systemIds.next(), agentId: 'agent' };
  const shared = { actor, at: new Date(0).toISOString(), commandId: systemIds.next(), correlationId: 'test' };
  const outcome = await log.append(workspaceId, stored.head, [
    { ...shared, id: systemIds.next(), event: { type: 'chunk.corrected', data } },
  ]);
  return { chunkId, ordinal, text: newText, textHash, tokens: 1, position: headOf(outcome).position };
};

const nextVectors = async (count: number): Promise<StoredVector[]> => {
  const found: StoredVector[] = [];
  while (found.length < count) found.push(...(await vectors.next(count - found.length, 10_000)));
  return found;
};

const turnOfTheLoop = () => new Promise((resolve) => setImmediate(resolve));

const consumer = async (): Promise<ConsumerInfo> =>
  (await jetstreamManager(nats)).consumers.info(OPLOG_STREAM, embedConsumer(hashing.id));

const settled = async (): Promise<void> => {
  for (;;) {
    const { num_pending, num_ack_pending } = await consumer();
    if (num_pending + num_ack_pending === 0) return;
  }
};

describe('embedding stored texts', () => {
  it('publishes a sealed vector for each chunk, also of items stored before it ran [D-19] [D-21]', async () => {
    const texts = ['the first chunk', 'and the second one'];
    const { workspaceId, itemId, keys, chunks } = await store(texts);
    startWorker();
    const found = (await nextVectors(2)).map(({ message }) => message);
    for (const [i, { chunkId, textHash }] of chunks.entries()) {
      const message = found.find((one) => one.chunkId === chunkId)!;
      expect(message).toMatchObject({ workspace: workspaceId, itemId, textHash, model: 'hashing-384', dims: 384 });
      const sealed = Buffer.from(message.vector!, 'base64');
      expect(openVector(keys.chunks.get(chunkId)!, workspaceId, chunkId, sealed)).toEqual(
        await hashing.embed(texts[i]!),
      );
    }
    await settled();
  });

  it('[N-52] embeds the new text of a corrected chunk and records the op it belongs to', async () => {
    startWorker();
    const stored = await store(['before']);
    expect((await nextVectors(1))[0]!.message).toMatchObject({ position: stored.head.position });
    const { chunkId, textHash, position } = await correct(stored, 'after');
    const [{ message }] = (await nextVectors(1)) as [StoredVector];
    expect(message).toMatchObject({ itemId: stored.itemId, chunkId, textHash, position });
    const sealed = Buffer.from(message.vector!, 'base64');
    const vector = openVector(stored.keys.chunks.get(chunkId)!, stored.workspaceId, chunkId, sealed);
    expect(vector).toEqual(await hashing.embed('after'));
    const outside = await store(['kept out'], { inKb: false });
    await correct(outside, 'still kept out', false);
    const { itemId } = await store(['next']);
    expect((await nextVectors(1))[0]!.message.itemId).toBe(itemId);
    await settled();
  });

  it('creates its consumer again when that was deleted, and continues', async () => {
    startWorker();
    await store(['before']);
    await nextVectors(1);
    await (await jetstreamManager(nats)).consumers.delete(OPLOG_STREAM, embedConsumer(hashing.id));
    const { itemId } = await store(['after']);
    const found: string[] = [];
    while (!found.includes(itemId)) found.push((await nextVectors(1))[0]!.message.itemId);
    await settled();
  });

  it('updates the filter of a consumer that was created without corrections', async () => {
    await (
      await jetstreamManager(nats)
    ).consumers.add(OPLOG_STREAM, {
      durable_name: embedConsumer('older'),
      ack_policy: AckPolicy.Explicit,
      deliver_policy: DeliverPolicy.All,
      filter_subject: 'oplog.*.item',
      ack_wait: 30_000 * 1e6,
      max_ack_pending: 256,
    });
    const stored = await store(['before']);
    const { textHash } = await correct(stored, 'after');
    startWorker(modelThat((text) => hashing.embed(text), 'older'));
    const found: string[] = [];
    while (!found.includes(textHash)) found.push((await nextVectors(1))[0]!.message.textHash);
    expect(found).toContain(stored.chunks[0]!.textHash);
    startWorker();
    await settled();
  });

  it('skips items outside the knowledge base and forgotten items', async () => {
    await store(['hidden'], { inKb: false });
    const forgotten = await store(['forgotten']);
    await vault.destroy(forgotten.workspaceId, forgotten.itemId);
    startWorker();
    const { itemId } = await store(['seen']);
    expect((await nextVectors(1)).map(({ message }) => message.itemId)).toEqual([itemId]);
    await settled();
    expect(await vectors.next(10, 0)).toEqual([]);
  });

  it('waits for keys that are missing although nothing was forgotten', async () => {
    startWorker();
    const late = await store(['late'], { keepKeys: false });
    const { itemId } = await store(['seen']);
    expect((await nextVectors(1)).map(({ message }) => message.itemId)).toEqual([itemId]);
    await vault.keep(late.workspaceId, late.itemId, late.keys);
    expect((await nextVectors(1)).map(({ message }) => message.itemId)).toEqual([late.itemId]);
    await settled();
  });

  it('[G-29] embeds an item when it enters the knowledge base, and not when it leaves or is renamed', async () => {
    startWorker();
    const outside = await store(['kept aside', 'in two parts'], { inKb: false });
    const inside = await store(['there from the start']);
    expect((await nextVectors(1))[0]!.message.itemId).toBe(inside.itemId);
    const renamed = await place(inside, { inKb: true, wasInKb: true });
    await place(renamed, { inKb: false, wasInKb: true });
    await place(outside, { inKb: true, wasInKb: false });
    const chunkIds = (await nextVectors(2)).map(({ message }) => message.chunkId);
    expect(chunkIds.sort()).toEqual(outside.chunks.map(({ chunkId }) => chunkId).sort());
    await settled();
    expect(await vectors.next(10, 0)).toEqual([]);
  });

  it('shares the work between replicas', async () => {
    startWorker();
    startWorker();
    const stored = await Promise.all(Array.from({ length: 30 }, (_, i) => store([`text ${i}`])));
    const found = await nextVectors(30);
    expect(new Set(found.map(({ message }) => message.itemId))).toEqual(new Set(stored.map(({ itemId }) => itemId)));
    await settled();
    expect(await vectors.next(10, 0)).toEqual([]);
  });

  it('embeds everything again for another model, beside the vectors of the first one', async () => {
    startWorker();
    const { itemId } = await store(['for two models']);
    expect((await nextVectors(1))[0]!.message).toMatchObject({ itemId, model: hashing.id });
    startWorker(modelThat((text) => hashing.embed(text), 'another'));
    for (;;) {
      const [{ message }] = (await nextVectors(1)) as [StoredVector];
      expect(message.model).toBe('another');
      if (message.itemId === itemId) return;
    }
  });

  it('keeps trying while the model is unavailable, however long that takes', async () => {
    let tries = 0;
    startWorker(
      modelThat((text) =>
        ++tries <= 8 ? Promise.reject(fail('embedder.unavailable', 'no model')) : hashing.embed(text),
      ),
    );
    const { itemId } = await store(['patience']);
    expect((await nextVectors(1))[0]!.message.itemId).toBe(itemId);
    expect(tries).toBe(9);
  });

  it('gives up on a text that always fails, records that in VECTORS, and continues with the others', async () => {
    let tries = 0;
    startWorker(
      modelThat((text) => {
        if (!text.includes('poison')) return hashing.embed(text);
        tries++;
        return Promise.reject(new TypeError('a bug'));
      }),
    );
    const spoiled = await store(['bread', 'poison']);
    const healthy = await store(['food']);
    const found = (await nextVectors(3)).map(({ message }) => message);
    const [bread, poison] = spoiled.chunks as [StoredChunk, StoredChunk];
    const failed = { itemId: spoiled.itemId, chunkId: poison.chunkId, textHash: poison.textHash, model: hashing.id };
    expect(found.filter(({ vector }) => vector === null)).toEqual([expect.objectContaining(failed)]);
    const embedded = found.filter(({ vector }) => vector !== null).map(({ chunkId }) => chunkId);
    expect(embedded.sort()).toEqual([bread, healthy.chunks[0]!].map(({ chunkId }) => chunkId).sort());
    await settled();
    expect(tries).toBe(5);
    expect(await vectors.next(10, 0)).toEqual([]);
  });

  it('leaves an op of a newer version for a replica that knows it, however often it is offered', async () => {
    const metrics = createMetrics();
    const offered = async (): Promise<number> => (await metrics.embeddingHeld.get()).values[0]?.value ?? 0;
    const worker = startWorker(hashing, 1, metrics);
    const { workspaceId, itemId, head } = await store(['known']);
    await nextVectors(1);
    const stored = await (await jetstreamManager(nats)).streams.getMessage(OPLOG_STREAM, { seq: head.position });
    const newer = { ...stored!.json<object>(), version: 2 };
    await nats.request(`oplog.${workspaceId}.item`, JSON.stringify(newer));
    // More often than an op that is broken would be tried.
    while ((await offered()) < 8) await turnOfTheLoop();
    const healthy = await store(['after it']);
    expect((await nextVectors(1))[0]!.message.itemId).toBe(healthy.itemId);
    await worker.close();
    ItemStored.version = 2;
    ItemStored.upcasters[1] = (data) => data;
    try {
      startWorker();
      expect((await nextVectors(1))[0]!.message.itemId).toBe(itemId);
      await settled();
    } finally {
      ItemStored.version = 1;
      delete ItemStored.upcasters[1];
    }
  });

  it('publishes no unusable vector, and the correct one when the model works again', async () => {
    let tries = 0;
    const broken = new Float32Array(384).fill(Number.NaN);
    startWorker(modelThat((text) => (++tries <= 6 ? Promise.resolve(broken) : hashing.embed(text))));
    const { workspaceId, keys, chunks } = await store(['a number']);
    const [{ message }] = (await nextVectors(1)) as [StoredVector];
    const { chunkId } = chunks[0]!;
    const vector = openVector(keys.chunks.get(chunkId)!, workspaceId, chunkId, Buffer.from(message.vector!, 'base64'));
    expect(vector).toEqual(await hashing.embed('a number'));
    expect(tries).toBe(7);
  });

  it('embeds a short item of another workspace before the rest of a long one', async () => {
    const texts: string[] = [];
    let begun = (): void => undefined;
    const isFull = new Promise<void>((resolve) => (begun = resolve));
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    startWorker(
      modelThat(async (text) => {
        if (texts.push(text) === 4) begun();
        await released;
        return hashing.embed(text);
      }),
    );
    const long = await store(Array.from({ length: 51 }, (_, i) => `part ${i}`));
    await isFull;
    const short = await store(['short']);
    while ((await consumer()).num_ack_pending < 2);
    // Everything that the broker sent before its answer to this has arrived as well.
    await nats.flush();
    await turnOfTheLoop();
    release();
    const itemIds = (await nextVectors(52)).map(({ message }) => message.itemId);
    expect(texts.indexOf('short')).toBeLessThan(6);
    expect(itemIds.indexOf(short.itemId)).toBeLessThan(20);
    expect(itemIds.filter((id) => id === long.itemId)).toHaveLength(51);
    await settled();
  });

  it('embeds an item of another workspace before a backlog that is longer than the window', async () => {
    const texts: string[] = [];
    let last = await store(['long 0']);
    for (let i = 1; i < 700; i++) last = await store([`long ${i}`], { after: last });
    const short = await store(['short']);
    startWorker(
      modelThat(async (text) => {
        texts.push(text);
        if (!texts.includes('short')) await new Promise((resolve) => setTimeout(resolve, 20));
        return hashing.embed(text);
      }),
    );
    const found = (await nextVectors(701)).map(({ message }) => message);
    // In log order, it would enter the window of 256 ops behind 445 others.
    expect(texts.indexOf('short')).toBeLessThan(440);
    expect(found.filter(({ itemId }) => itemId === short.itemId)).toHaveLength(1);
    await settled();
    expect(texts.filter((text) => text === 'short')).toHaveLength(1);
    expect(await vectors.next(10, 0)).toEqual([]);
  });

  it('continues after the broker was killed', async () => {
    startWorker();
    await store(['before']);
    await nextVectors(1);
    await broker.kill();
    const { itemId } = await store(['after']).catch(() => store(['after']));
    // The broker may have lost acknowledgements, so older items may come again first.
    const seen: string[] = [];
    while (!seen.includes(itemId)) seen.push((await nextVectors(1))[0]!.message.itemId);
    await settled();
    expect(new Set(seen).size).toBe(seen.length);
  });

  it('stops at once, even before it has started', async () => {
    const worker = startWorker();
    await worker.close();
    const { itemId } = await store(['left for the next one']);
    startWorker();
    expect((await nextVectors(1))[0]!.message.itemId).toBe(itemId);
  });
});
