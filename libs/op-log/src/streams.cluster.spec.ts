import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OPLOG_STREAM } from '@cairn/contracts';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { TestNatsCluster } from '@cairn/testing';
import { jetstreamManager } from '@nats-io/jetstream';
import { ensureStreams } from './streams.js';

const REPLICAS = 3;
const START_TIMEOUT_MS = 120_000;

describe('creating streams with three replicas', () => {
  let brokers: TestNatsCluster;
  let nats: NatsConnection;

  beforeAll(async () => {
    brokers = await TestNatsCluster.start(REPLICAS - 1);
    nats = await connectNats(brokers.nodes[0]!.server.url, 'test');
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
});
