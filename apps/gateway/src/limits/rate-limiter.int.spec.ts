import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { uuidV7 } from '@cairn/kernel';
import { startNatsServer } from '@cairn/local-servers';
import { connectNats, type NatsConnection } from '@cairn/messaging';
import { createMetrics } from '@cairn/observability';
import { ensureStreams } from '@cairn/op-log';
import { TestNats } from '@cairn/testing';
import { JetStreamRateCounter } from './jetstream-rate-counter.js';
import { rateCounterContract } from './rate-counter.contract.js';
import { RateLimiter } from './rate-limiter.js';

const HOUR_MS = 3_600_000;
const now = 500_000 * HOUR_MS;

let nats: TestNats;
let first: NatsConnection;
let second: NatsConnection;
let alarms = 0;

beforeAll(async () => {
  nats = await TestNats.start();
  first = await nats.connect();
  second = await nats.connect();
});

afterAll(() => nats.stop());

const limiterOn = (connection: NatsConnection) =>
  new RateLimiter(
    new JetStreamRateCounter(connection),
    { now: () => now },
    { error: () => void alarms++ } as never,
    createMetrics(),
  );

const passes = (limiter: RateLimiter, tokenId: string, cap: number): Promise<boolean> =>
  limiter
    .guard([{ tokenId, bucket: 'calls', cap, allowed: `${cap} calls` }], 'beside', () => Promise.resolve())
    .then(
      () => true,
      () => false,
    );

describe('RateLimiter on a broker without the counters', () => {
  it('counts locally from the first call, and raises an alarm', async () => {
    const limiter = limiterOn(first);
    const tokenId = uuidV7();
    const answers = [];
    for (let i = 0; i < 10; i++) answers.push(await passes(limiter, tokenId, 8));
    expect(answers.filter(Boolean)).toHaveLength(4);
    expect(alarms).toBe(1);
  });
});

describe('JetStreamRateCounter', () => {
  beforeAll(() => ensureStreams(first));

  rateCounterContract('the stream RATES', () => new JetStreamRateCounter(first));

  it('[G-05] lets exactly the cap of 200 parallel calls through two replicas', async () => {
    const limiters = [limiterOn(first), limiterOn(second)];
    const tokenId = uuidV7();
    const answers = await Promise.all(Array.from({ length: 200 }, (_, i) => passes(limiters[i % 2]!, tokenId, 50)));
    expect(answers.filter(Boolean)).toHaveLength(50);
    expect(await passes(limiters[0]!, uuidV7(), 50)).toBe(true);
  });

  it('remembers the hour when the broker is restarted', async () => {
    const storeDir = mkdtempSync(join(tmpdir(), 'cairn-rates-'));
    const key = { tokenId: uuidV7(), bucket: 'calls', hour: now / HOUR_MS };
    const sums: number[] = [];
    for (const amount of [41, 1]) {
      const server = await startNatsServer({ storeDir, log: () => undefined });
      const connection = await connectNats({ url: server.url }, 'test');
      await ensureStreams(connection);
      sums.push(await new JetStreamRateCounter(connection).add(key, amount));
      await connection.close();
      await server.stop();
    }
    rmSync(storeDir, { recursive: true, force: true });
    expect(sums).toEqual([41, 42]);
  });
});
