import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { meshTokensSubject } from '@cairn/contracts';
import { uuidV7 } from '@cairn/kernel';
import type { NatsConnection } from '@cairn/messaging';
import { ensureStreams } from '@cairn/op-log';
import { TestNats } from '@cairn/testing';
import { budgetCounterContract } from './budget-counter.contract.js';
import { JetStreamBudgetCounter } from './jetstream-budget-counter.js';

let nats: TestNats;
let connections: readonly NatsConnection[];

beforeAll(async () => {
  nats = await TestNats.start();
  connections = [await nats.connect(), await nats.connect()];
});

afterAll(() => nats.stop());

const counters = () => connections.map((connection) => new JetStreamBudgetCounter(connection));

describe('JetStreamBudgetCounter', () => {
  it('fails on a broker without the counters', async () => {
    const adding = counters()[0]!.add(meshTokensSubject(uuidV7(), '2026-11-17'), 1);
    await expect(adding).rejects.toMatchObject({ code: 'service.unavailable' });
  });

  describe('on a broker with the counters', () => {
    beforeAll(() => ensureStreams(connections[0]!));

    budgetCounterContract('the stream BUDGETS', () => counters()[0]!);

    it('counts the concurrent calls of two replicas as one sum', async () => {
      const subject = meshTokensSubject(uuidV7(), '2026-11-17');
      const adding = Array.from({ length: 100 }, (_, i) => counters()[i % 2]!.add(subject, 1));
      expect(new Set(await Promise.all(adding)).size).toBe(100);
      expect(await counters()[1]!.add(subject, 0)).toBe(100);
    });
  });
});
