import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { KEYS_BUCKET } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { TestNats } from '@cairn/testing';
import { jetstreamManager, StorageType } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
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

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));

describe('the KEYS bucket', () => {
  it('can be read by a process that may not create it', async () => {
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

  it('leaves no byte of a destroyed record on disk, and the other records unchanged', async () => {
    const [workspace, item, other] = [systemIds.next(), systemIds.next(), systemIds.next()];
    const [older, secret, kept] = [1, 2, 3].map(() => randomBytes(48).toString('base64')) as [string, string, string];
    for (const key of [older, secret]) await store.put(workspace, item, { item: key, chunks: {} });
    await store.put(workspace, other, { item: kept, chunks: {} });
    const onDisk = (text: string): boolean =>
      filesBelow(broker.storeDir).some((file) => readFileSync(file).includes(text));
    expect([older, secret, kept].map(onDisk)).toEqual([true, true, true]);
    await store.destroy(workspace, item);
    expect([older, secret, kept].map(onDisk)).toEqual([false, false, true]);
    expect((await store.get(workspace, other))!.item).toBe(kept);
  });

  it('leaves no byte of a replaced record on disk, even when the replacement was interrupted', async () => {
    const [workspace, item] = [systemIds.next(), systemIds.next()];
    const [old, next, newest] = [1, 2, 3].map(() => randomBytes(48).toString('base64')) as [string, string, string];
    await store.put(workspace, item, { item: old, chunks: {} });
    const of = async (key: string) => {
      for await (const entry of store.entries()) if (entry.record.item === key) return entry;
      return undefined;
    };
    await store.replace((await of(old))!, { item: next, chunks: {} });
    const onDisk = (text: string): boolean =>
      filesBelow(broker.storeDir).some((file) => readFileSync(file).includes(text));
    expect([old, next].map(onDisk)).toEqual([false, true]);
    // Killed after writing the new revision and before erasing the old one: the old one is still listed, and is only erased.
    const bucket = await new Kvm(await broker.connect()).open(KEYS_BUCKET);
    await bucket.put(`${workspace}.${item}`, JSON.stringify({ item: newest, chunks: {} }));
    await store.replace((await of(next))!, { item: old, chunks: {} });
    expect([old, next, newest].map(onDisk)).toEqual([false, false, true]);
    expect((await store.get(workspace, item))!.item).toBe(newest);
  });

  it('finishes a destruction that was interrupted after its tombstone', async () => {
    const [workspace, item] = [systemIds.next(), systemIds.next()];
    await store.put(workspace, item, { item: 'a2V5', chunks: {} });
    const bucket = await new Kvm(await broker.connect()).open(KEYS_BUCKET);
    await bucket.delete(`${workspace}.${item}`);
    await store.destroy(workspace, item);
    const { direct } = await jetstreamManager(await broker.connect());
    const left = await direct.getMessage(`KV_${KEYS_BUCKET}`, {
      seq: 1,
      next_by_subj: `$KV.${KEYS_BUCKET}.${workspace}.${item}`,
    });
    expect(left!.header.get('KV-Operation')).toBe('DEL');
  });

  it('keeps everything that it has acknowledged when the broker is killed', async () => {
    const [workspace, item] = [systemIds.next(), systemIds.next()];
    await store.put(workspace, item, { item: 'a2V5', chunks: {} });
    await broker.kill();
    const reader = await JetStreamKeyStore.open(await broker.connect());
    expect(await reader.get(workspace, item)).toEqual({ item: 'a2V5', chunks: {} });
  });

  it('reports that it is unavailable when the broker is stopped', async () => {
    const other = await TestNats.start();
    const orphan = await JetStreamKeyStore.create(await other.connect(), 1);
    await other.stop();
    await expect(orphan.get(systemIds.next(), systemIds.next())).rejects.toMatchObject({ code: 'key.unavailable' });
    await expect(orphan.put(systemIds.next(), systemIds.next(), { item: '', chunks: {} })).rejects.toMatchObject({
      code: 'oplog.unavailable',
    });
  });
});
