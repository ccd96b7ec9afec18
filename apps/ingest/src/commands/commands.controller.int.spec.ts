import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { INGEST_QUEUE, type Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { natsTransport, Requester } from '@cairn/messaging';
import { createLogger } from '@cairn/observability';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { IngestModule } from '../ingest.module.js';
import { itemData } from '../command-data.builder.js';
import { IngestUnderTest } from '../ingest-under-test.harness.js';

let ingest: IngestUnderTest;
let app: INestMicroservice;
let requester: Requester;
let admin: Principal;

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
  const { service, metrics } = ingest.replicas.pop()!;
  const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
  app = await NestFactory.createMicroservice(IngestModule.register(service, logger, metrics), {
    ...natsTransport(ingest.broker.url, INGEST_QUEUE),
    logger: false,
  });
  ingest.replicas.push({ service, metrics });
  await app.listen();
  requester = new Requester(ingest.nats);
  admin = await ingest.workspace();
  ingest.replicas.pop();
}, 60_000);
afterAll(async () => {
  await app.close();
  await ingest.stop();
});

const context = () => ({ principal: admin, correlationId: 'c-1', id: systemIds.next() });

describe('commands over NATS', () => {
  it('are carried out and answered', async () => {
    const answer = await requester.command('item.store', itemData({ tags: ['Mixed-Case'] }), context());
    expect(answer).toMatchObject({ position: await ingest.log.head() });
    const { rows } = await ingest.pool.query('select tags from library.chunks where id = $1', [answer.chunkIds[0]]);
    expect(rows).toEqual([{ tags: ['mixed-case'] }]);
  });

  it('take the agent from the context, and refuse one among the data [D-18]', async () => {
    const spoofed = { ...itemData(), createdByAgentId: 'somebody-else' };
    await expect(requester.command('item.store', spoofed, context())).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringMatching(/^createdByAgentId is not a known field/),
    });
  });

  it('are refused with the field and the limit, and nothing is written', async () => {
    const before = await ingest.log.head();
    const storing = requester.command('item.store', itemData({ text: 'x'.repeat(500_001) }), context());
    await expect(storing).rejects.toMatchObject({ code: 'input.invalid', details: { field: 'text', limit: 500_000 } });
    expect(await ingest.log.head()).toBe(before);
  });
});
