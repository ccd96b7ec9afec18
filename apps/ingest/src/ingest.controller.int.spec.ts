import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { systemIds } from '@cairn/kernel';
import { Requester, startService, type RunningService } from '@cairn/messaging';
import { createLogger, createMetrics } from '@cairn/observability';
import { IngestModule } from './ingest.module.js';
import { itemData } from './command-data.builder.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';

let ingest: IngestUnderTest;
let service: RunningService;
let requester: Requester;
let admin: Principal;

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
  admin = await ingest.workspace();
  const logger = createLogger({ name: 'test', level: 'silent', format: 'json' });
  const module = IngestModule.register(ingest.config);
  service = await startService({
    name: 'ingest',
    natsUrl: ingest.broker.url,
    module,
    logger,
    metrics: createMetrics(),
  });
  requester = new Requester(ingest.nats);
}, 60_000);
afterAll(async () => {
  await service.close();
  await ingest.stop();
});

const context = () => ({ principal: admin, correlationId: 'c-1', id: systemIds.next() });

describe('commands over NATS', () => {
  it('are executed and answered', async () => {
    const answer = await requester.command('item.store', itemData({ tags: ['Mixed-Case'] }), context());
    expect(answer).toMatchObject({ position: await ingest.log.head() });
    const { rows } = await ingest.pool.query('select tags from library.chunks where id = $1', [answer.chunkIds[0]]);
    expect(rows).toEqual([{ tags: ['mixed-case'] }]);
  });

  it('take the agent from the context, and reject one in the data [D-18]', async () => {
    const spoofed = { ...itemData(), createdByAgentId: 'another-agent' };
    await expect(requester.command('item.store', spoofed, context())).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringMatching(/^createdByAgentId is not a known field/),
    });
  });

  it('are rejected with the field and the limit, and nothing is written', async () => {
    const before = await ingest.log.head();
    const storing = requester.command('item.store', itemData({ text: 'x'.repeat(500_001) }), context());
    await expect(storing).rejects.toMatchObject({ code: 'input.invalid', details: { field: 'text', limit: 500_000 } });
    expect(await ingest.log.head()).toBe(before);
  });
});
