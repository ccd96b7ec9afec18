import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { GENESIS_HASH } from '@cairn/contracts';
import { type TextKind } from '@cairn/embedding';
import { HashingEmbeddingModel } from '@cairn/embedding/testing';
import { systemIds } from '@cairn/kernel';
import { createLogger, createMetrics } from '@cairn/observability';
import { ensureStreams, JetStreamOpLog, type NewOp } from '@cairn/op-log';
import { TestNats } from '@cairn/testing';
import { createKek, JetStreamKeyStore, keyedHash, KeyRing, sealMeta, sealText, Vault } from '@cairn/vault';
import { EmbedderService } from './embedder.service.js';
import { ModelHolder } from './model-holder.js';

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
    const holder = new ModelHolder(() => Promise.resolve(model), logger);
    const parts = { nats: await broker.connect(), vault, holder, logger, metrics: createMetrics() };
    const service = new EmbedderService(parts);
    service.onApplicationBootstrap();
    const log = await JetStreamOpLog.open(nats);
    const workspaceId = systemIds.next();
    await log.append(workspaceId, { position: 0, hash: GENESIS_HASH }, [await itemOp(vault, workspaceId)]);
    await model.busy;
    const answer = await service.embedQuery('a question');
    expect(answer).toMatchObject({ model: 'hashing-384', dims: 384 });
    const bytes = new Uint8Array(Buffer.from(answer.vector, 'base64'));
    expect(new Float32Array(bytes.buffer)).toEqual(await new HashingEmbeddingModel().embed('a question'));
    expect(service.view()).toMatchObject({ model: 'hashing-384' });
    expect(model.passages).toEqual(['a passage']);
    await service.onApplicationShutdown();
    await expect(service.embedQuery('too late')).rejects.toMatchObject({ code: 'embedder.unavailable' });
  });
});
