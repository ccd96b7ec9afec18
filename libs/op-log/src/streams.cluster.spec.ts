import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import {
  BUDGETS_STREAM,
  FORGOTTEN_STREAM,
  KEYS_BUCKET,
  OPLOG_STREAM,
  RATES_STREAM,
  SIGN_INS_STREAM,
  STREAM_ACCESS,
  VECTORS_STREAM,
} from '@cairn/contracts';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { TestNatsCluster } from '@cairn/testing';
import { jetstream, jetstreamManager, type StreamInfo } from '@nats-io/jetstream';
import { Kvm } from '@nats-io/kv';
import { raiseReplicas } from './stream-replicas.js';
import { ensureStreams } from './streams.js';

const REPLICAS = 3;
const START_TIMEOUT_MS = 120_000;

describe('creating streams with three replicas', () => {
  let brokers: TestNatsCluster;
  let nats: NatsConnection;

  beforeAll(async () => {
    brokers = await TestNatsCluster.start(REPLICAS - 1);
    nats = await connectNats({ url: brokers.nodes[0]!.server.url }, 'test');
  }, START_TIMEOUT_MS);
  afterAll(async () => {
    await nats?.close();
    await brokers?.stop();
  }, START_TIMEOUT_MS);

  it('waits for a broker that is still starting, and reports what is missing if it does not appear', async () => {
    await expect(ensureStreams(nats, REPLICAS, { placementWaitMs: 1_000 })).rejects.toMatchObject({
      code: 'oplog.unavailable',
      message: expect.stringMatching(/stream OPLOG needs 3 brokers .*NATS_REPLICAS/),
    });

    const created = ensureStreams(nats, REPLICAS);
    await brokers.grow();
    await created;

    const { streams } = await jetstreamManager(nats);
    expect((await streams.info(OPLOG_STREAM)).config.num_replicas).toBe(REPLICAS);
  }, 120_000);

  it('raises those that have fewer, with what they hold, and reports those that it has too few brokers for', async () => {
    const { streams } = await jetstreamManager(nats);
    for (const { stream } of STREAM_ACCESS) await streams.delete(stream).catch(() => undefined);
    await ensureStreams(nats, 1);
    await new Kvm(nats).create(KEYS_BUCKET, { history: 2, replicas: 1 });
    await jetstream(nats).publish('oplog.workspace.item', 'an op');
    const all = [OPLOG_STREAM, VECTORS_STREAM, FORGOTTEN_STREAM, RATES_STREAM, BUDGETS_STREAM, SIGN_INS_STREAM];
    const made = [...all, `KV_${KEYS_BUCKET}`];
    /** A stream does not answer while it gets another leader. */
    const infoOf = async (stream: string): Promise<StreamInfo> => {
      for (;;) {
        const info = await streams.info(stream).catch(() => undefined);
        if (info) return info;
      }
    };
    const replicas = async () => (await Promise.all(made.map(infoOf))).map(({ config }) => config.num_replicas);
    const { created } = await infoOf(RATES_STREAM);

    expect(await raiseReplicas(nats, REPLICAS + 2)).toEqual(made);
    expect([await replicas(), (await infoOf(RATES_STREAM)).created]).toEqual([made.map(() => 1), created]);

    expect(await raiseReplicas(nats, REPLICAS)).toEqual([]);
    expect(await replicas()).toEqual(made.map(() => REPLICAS));
    expect((await streams.getMessage(OPLOG_STREAM, { seq: 1 }))?.string()).toBe('an op');
    expect(await raiseReplicas(nats, 1)).toEqual([]);
  }, 120_000);
});
