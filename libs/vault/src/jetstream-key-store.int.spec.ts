import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEYS_BUCKET } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { TestNats } from '@cairn/testing';
import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { JetStreamKeyStore } from './jetstream-key-store.js';
import { describeKeyStore } from './key-store.contract.js';

let broker: TestNats;
let store: JetStreamKeyStore;

beforeAll(async () => {
  broker = await TestNats.start();
  store = await JetStreamKeyStore.create(await broker.connect(), 1);
});
afterAll(() => broker.stop());

describeKeyStore('the KEYS bucket', () => store);

describe('the KEYS bucket', () => {
  it('is read by whoever may not make it', async () => {
    const [workspace, item] = [systemIds.next(), systemIds.next()];
    await store.put(workspace, item, { item: 'a2V5', chunks: {} });
    const reader = await JetStreamKeyStore.open(await broker.connect());
    expect(await reader.get(workspace, item)).toEqual({ item: 'a2V5', chunks: {} });
  });

  it('is on disk and keeps one older revision, so that an overwritten key can be erased', async () => {
    const { config } = await (await jetstreamManager(await broker.connect())).streams.info(`KV_${KEYS_BUCKET}`);
    expect(config).toMatchObject({
      storage: StorageType.File,
      max_msgs_per_subject: 2,
      allow_direct: true,
      max_age: 0,
    });
  });

  it('keeps what it has acknowledged when the broker is killed', async () => {
    const [workspace, item] = [systemIds.next(), systemIds.next()];
    await store.put(workspace, item, { item: 'a2V5', chunks: {} });
    await broker.kill();
    const reader = await JetStreamKeyStore.open(await broker.connect());
    expect(await reader.get(workspace, item)).toEqual({ item: 'a2V5', chunks: {} });
  });

  it('says that it is away when it is', async () => {
    const other = await TestNats.start();
    const orphan = await JetStreamKeyStore.create(await other.connect(), 1);
    await other.stop();
    await expect(orphan.get(systemIds.next(), systemIds.next())).rejects.toMatchObject({ code: 'key.unavailable' });
    await expect(orphan.put(systemIds.next(), systemIds.next(), { item: '', chunks: {} })).rejects.toMatchObject({
      code: 'oplog.unavailable',
    });
  });
});
