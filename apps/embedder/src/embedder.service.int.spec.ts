import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  fail,
  flipped,
  GENESIS_HASH,
  ordered,
  rolledBack,
  type VectorMessage,
  type VectorModels,
} from '@cairn/contracts';
import { type EmbeddingModel, type TextKind } from '@cairn/embedding';
import { HashingEmbeddingModel } from '@cairn/embedding/testing';
import { systemIds } from '@cairn/kernel';
import { createLogger, createMetrics, type Metrics } from '@cairn/observability';
import { ensureStreams, JetStreamOpLog, VectorLog, VectorModelStore, type NewOp } from '@cairn/op-log';
import { TestNats } from '@cairn/testing';
import { createKek, JetStreamKeyStore, keyedHash, KeyRing, sealMeta, sealText, Vault } from '@cairn/vault';
import { EmbedderService } from './embedder.service.js';
import { ModelShelf } from './model-shelf.js';

const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });

/** Passages never finish, queries do. */
class BusyModel extends HashingEmbeddingModel {
  readonly passages: string[] = [];
  private begun: () => void = () => undefined;
  readonly busy = new Promise<void>((resolve) => (this.begun = resolve));

  override embed(text: string, kind: TextKind = 'query'): Promise<Float32Array> {
    if (kind === 'query') return super.embed(text);
    this.passages.push(text);
    this.begun();
    return new Promise((_, reject) => (this.reject = reject));
  }

  private reject: (error: Error) => void = () => undefined;

  override close(): Promise<void> {
    this.reject(new Error('closed'));
    return super.close();
  }
}

/** The first of the models is the configured one; each is its own source. */
const shelfOf = (models: Readonly<Record<string, EmbeddingModel>>): ModelShelf =>
  new ModelShelf({
    openConfigured: () => Promise.resolve(Object.values(models)[0]!),
    openFrom: (source) =>
      models[source] ? Promise.resolve(models[source]) : Promise.reject(fail('embedder.model_missing', `no ${source}`)),
    sourceOf: ({ id }) => id,
    logger,
  });

const itemOp = async (vault: Vault, workspaceId: string): Promise<NewOp> => {
  const [itemId, chunkId] = [systemIds.next(), systemIds.next()];
  const keys = vault.mint(workspaceId, itemId, [chunkId]);
  await vault.keep(workspaceId, itemId, keys);
  const key = keys.chunks.get(chunkId)!;
  const text = sealText(key, workspaceId, chunkId, 'a passage').toString('base64');
  const chunk = { chunkId, ordinal: 0, text, textHash: keyedHash(key, 'a passage'), tokens: 2 };
  const meta = sealMeta(keys.item, workspaceId, itemId, { title: 'T', tags: [] }).toString('base64');
  const folderId = systemIds.next();
  return {
    id: systemIds.next(),
    actor: { kind: 'system', tokenId: systemIds.next(), agentId: 'agent' },
    at: new Date(0).toISOString(),
    commandId: systemIds.next(),
    correlationId: 'test',
    event: { type: 'item.extended', data: { itemId, folderId, inKb: true, expiresAt: null, meta, chunks: [chunk] } },
  };
};

describe('the embedder', () => {
  let broker: TestNats;
  beforeAll(async () => {
    broker = await TestNats.start();
  });
  afterAll(() => broker.stop());

  it('answers queries while passages keep it busy, and closes in the middle of them', async () => {
    const kek = createKek();
    const model = new BusyModel();
    const nats = await broker.connect();
    await ensureStreams(nats);
    const vault = new Vault(new KeyRing({ kek }), await JetStreamKeyStore.create(nats, 1));
    const store = await VectorModelStore.create(nats, 1);
    const shelf = shelfOf({ [model.id]: model });
    const parts = { nats: await broker.connect(), vault, shelf, store, logger, metrics: createMetrics() };
    const service = new EmbedderService(parts);
    service.onApplicationBootstrap();
    const log = await JetStreamOpLog.open(nats);
    const workspaceId = systemIds.next();
    await log.append(workspaceId, { position: 0, hash: GENESIS_HASH }, [await itemOp(vault, workspaceId)]);
    await model.busy;
    const answer = await service.embedQuery('a question');
    expect(answer).toMatchObject({ model: 'hashing-384+r2', dims: 384 });
    const bytes = new Uint8Array(Buffer.from(answer.vector, 'base64'));
    expect(new Float32Array(bytes.buffer)).toEqual(await new HashingEmbeddingModel().embed('a question'));
    expect(service.view()).toMatchObject({ model: 'hashing-384+r2' });
    expect(model.passages).toEqual(['T\na passage']);
    await service.onApplicationShutdown();
    await expect(service.embedQuery('too late')).rejects.toMatchObject({ code: 'embedder.unavailable' });
  });

  it('is ready, and takes queries, only when its model is loaded', async () => {
    const nats = await broker.connect();
    await ensureStreams(nats);
    const vault = new Vault(new KeyRing({ kek: createKek() }), await JetStreamKeyStore.create(nats, 1));
    const store = await VectorModelStore.create(nats, 1);
    let load: (model: EmbeddingModel) => void = () => undefined;
    const loaded = new Promise<EmbeddingModel>((resolve) => (load = resolve));
    const shelf = new ModelShelf({
      openConfigured: () => loaded,
      openFrom: () => loaded,
      sourceOf: ({ id }) => id,
      logger,
    });
    let takesQueries: () => void = () => undefined;
    const taking = new Promise<void>((resolve) => (takesQueries = resolve));
    const onReady = (): void => {
      expect(service.check()).toEqual({ ready: true, notes: [] });
      takesQueries();
    };
    const parts = { nats: await broker.connect(), vault, shelf, store, logger, metrics: createMetrics(), onReady };
    const service = new EmbedderService(parts);
    service.onApplicationBootstrap();
    expect(service.check()).toEqual({ ready: false, notes: ['the model is being loaded'] });
    load(new HashingEmbeddingModel());
    await taking;
    await service.embedQuery('a question');
    await service.onApplicationShutdown();
  });
});

/** An embedding model with an id of its own. */
const modelOf = (id: string, more: Partial<EmbeddingModel> = {}): EmbeddingModel =>
  Object.assign(new HashingEmbeddingModel(), { id, ...more });

describe('the vectors of an embedder', () => {
  let broker: TestNats;
  let vault: Vault;
  let store: VectorModelStore;
  let vectors: VectorLog;
  let metrics: Metrics;
  const services: EmbedderService[] = [];

  beforeEach(async () => {
    broker = await TestNats.start();
    const nats = await broker.connect();
    await ensureStreams(nats);
    vault = new Vault(new KeyRing({ kek: createKek() }), await JetStreamKeyStore.create(nats, 1));
    store = await VectorModelStore.create(nats, 1);
    vectors = new VectorLog(nats);
    metrics = createMetrics();
  });
  afterEach(async () => {
    await Promise.all(services.splice(0).map((service) => service.onApplicationShutdown()));
    await broker.stop();
  });

  const start = async (...models: readonly EmbeddingModel[]): Promise<EmbedderService> => {
    const shelf = shelfOf(Object.fromEntries(models.map((model) => [model.id, model])));
    const parts = { nats: await broker.connect(), vault, shelf, store, logger, metrics };
    const service = new EmbedderService(parts);
    services.push(service);
    service.onApplicationBootstrap();
    return service;
  };
  const storeItem = async (): Promise<void> => {
    const log = await JetStreamOpLog.open(await broker.connect());
    const workspaceId = systemIds.next();
    await log.append(workspaceId, { position: 0, hash: GENESIS_HASH }, [await itemOp(vault, workspaceId)]);
  };
  /** The ids of the first vectors, once there are so many. */
  const made = async (count: number): Promise<string[]> => {
    const reader = vectors.read(1);
    const found: string[] = [];
    while (found.length < count)
      found.push(...(await reader.next(count - found.length, 5_000)).map(({ message }) => message.model));
    await reader.close();
    return found;
  };
  const modelOfAnswer = async (service: EmbedderService): Promise<string> => {
    for (;;) {
      // A timer first, since an answer that needs none would let nothing else run.
      await new Promise((resolve) => setTimeout(resolve, 10));
      const answer = await service.embedQuery('a question').catch(() => undefined);
      if (answer) return answer.model;
    }
  };
  const oldVector = (): VectorMessage => ({
    workspace: systemIds.next(),
    itemId: systemIds.next(),
    chunkId: systemIds.next(),
    textHash: 'a'.repeat(64),
    model: 'small',
    dims: 384,
    position: 1,
    vector: null,
  });

  it('of an earlier recipe answer queries while those of the present one are made beside them', async () => {
    await vectors.publish(oldVector());
    const service = await start(modelOf('small'));
    expect(await modelOfAnswer(service)).toBe('small');
    await storeItem();
    expect((await made(3)).sort()).toEqual(['small', 'small', 'small+r2']);
    expect(service.view()).toMatchObject({ model: 'small', next: 'small+r2' });
  });

  it('follow the record: a flip and a rollback change the answers of every replica', async () => {
    await vectors.publish(oldVector());
    const replicas = [await start(modelOf('small')), await start(modelOf('small'))];
    for (const replica of replicas) expect(await modelOfAnswer(replica)).toBe('small');
    const until = async (id: string): Promise<void> => {
      for (const replica of replicas) while ((await modelOfAnswer(replica)) !== id);
    };
    await store.update((models) => models && flipped(models, 0));
    await until('small+r2');
    await store.update((models) => models && rolledBack(models, 0));
    await until('small');
    expect(await store.get()).toMatchObject({ live: { id: 'small' }, previous: { id: 'small+r2' } });
  });

  it('of another model are made when the configuration names it, and those of the old one still answer', async () => {
    const first = await start(modelOf('small'));
    expect(await modelOfAnswer(first)).toBe('small+r2');
    await services.pop()!.onApplicationShutdown();
    const second = await start(modelOf('large'), modelOf('small'));
    expect(await modelOfAnswer(second)).toBe('small+r2');
    await storeItem();
    expect((await made(2)).sort()).toEqual(['large+r2', 'small+r2']);
  });

  it('of the next model answer if the old one cannot be opened any more', async () => {
    const first = await start(modelOf('small'));
    expect(await modelOfAnswer(first)).toBe('small+r2');
    await services.pop()!.onApplicationShutdown();
    expect(await modelOfAnswer(await start(modelOf('large')))).toBe('large+r2');
  });

  it('count the ops that are left while they are replaced, and none afterwards', async () => {
    const counted = jest.spyOn(metrics.reembeddingBacklogOps, 'set');
    const first = await start(modelOf('small'));
    await modelOfAnswer(first);
    for (let i = 0; i < 3; i++) await storeItem();
    await made(3);
    expect(counted.mock.calls.flat()).toEqual([0]);
    await services.pop()!.onApplicationShutdown();
    await modelOfAnswer(await start(modelOf('large'), modelOf('small')));
    await made(6);
    expect(counted.mock.calls.flat()).toEqual([0, 2, 1, 0]);
    metrics.reembeddingBacklogOps.set(7);
    await store.update((models) => models && flipped(models, 0));
    while ((counted.mock.lastCall![0] as unknown) !== 0) await new Promise((resolve) => setTimeout(resolve, 10));
  });

  it('stay as they are if their model answers with another length, and grow again once it is restored', async () => {
    await modelOfAnswer(await start(modelOf('small')));
    await storeItem();
    await made(1);
    const record = await store.get();
    await services.pop()!.onApplicationShutdown();
    const wrong = await start(modelOf('small', { dimensions: 512 }));
    const noteOf = (service: EmbedderService): string => service.view().note ?? '';
    while (!noteOf(wrong).includes('dimensions')) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(wrong.view()).toMatchObject({ model: 'small+r2' });
    expect(noteOf(wrong)).toContain('The model small answers with 512 dimensions, but its stored vectors have 384.');
    await expect(wrong.embedQuery('a question')).rejects.toMatchObject({
      code: 'embedder.unavailable',
      details: { reason: noteOf(wrong) },
    });
    await storeItem();
    expect([await store.get(), await vectors.newest()]).toMatchObject([record, { model: 'small+r2', dims: 384 }]);
    await services.pop()!.onApplicationShutdown();
    const restored = await start(modelOf('small'));
    expect([await modelOfAnswer(restored), await made(2)]).toEqual(['small+r2', ['small+r2', 'small+r2']]);
    expect(restored.view().note).toBeUndefined();
  });

  it('of an installation without a record are not mixed with those of another length', async () => {
    await vectors.publish({ ...oldVector(), model: 'small+r2' });
    const service = await start(modelOf('small', { dimensions: 512 }));
    while (!service.view().note?.includes('512 dimensions')) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(await store.get()).toMatchObject({ live: { id: 'small+r2', dims: 384 } });
  });

  it('of an ordered model are made, and a model that cannot be opened is reported', async () => {
    const service = await start(modelOf('small'), modelOf('large'));
    await modelOfAnswer(service);
    const settledOrder = async (source: string): Promise<VectorModels> => {
      await store.update((models) => models && ordered(models, { source, hold: true }));
      for (;;) {
        const models = await store.get();
        if (!models!.order || models!.order.problem !== undefined) return models!;
      }
    };
    expect(await settledOrder('huge')).toMatchObject({ live: { id: 'small+r2' }, order: { problem: 'no huge' } });
    expect(await settledOrder('large')).toMatchObject({ next: { id: 'large+r2', source: 'large', hold: true } });
    await storeItem();
    expect((await made(2)).sort()).toEqual(['large+r2', 'small+r2']);
  });
});
