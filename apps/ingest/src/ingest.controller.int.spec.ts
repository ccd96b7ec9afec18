import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Principal } from '@cairn/contracts';
import { systemIds, uuidV7 } from '@cairn/kernel';
import { Requester, startService, watchIngests, type RunningService } from '@cairn/messaging';
import { createLogger, createMetrics, type Metrics } from '@cairn/observability';
import { IngestModule } from './ingest.module.js';
import { itemData } from './command-data.builder.js';
import { IngestUnderTest } from './ingest-under-test.harness.js';

let ingest: IngestUnderTest;
let service: RunningService;
let requester: Requester;
let admin: Principal;

const startReplica = (metrics: Metrics, replicaId?: string): Promise<RunningService> =>
  startService({
    name: 'ingest',
    nats: { url: ingest.broker.url },
    module: IngestModule.register(ingest.config),
    logger: createLogger({ name: 'test', level: 'silent', format: 'json' }),
    metrics,
    ...(replicaId !== undefined && { replicaId }),
  });

beforeAll(async () => {
  ingest = await IngestUnderTest.start();
  admin = await ingest.workspace();
  service = await startReplica(createMetrics());
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

  it('take the agent from the context, and ignore one in the data [D-18]', async () => {
    const spoofed = { ...itemData(), createdByAgentId: 'another-agent' };
    const { itemId } = await requester.command('item.store', spoofed, context());
    const { rows } = await ingest.pool.query('select created_by_agent_id as agent from library.items where id = $1', [
      itemId,
    ]);
    expect(rows).toEqual([{ agent: admin.agentId }]);
  });

  it('are rejected with the field and the limit, and nothing is written', async () => {
    const before = await ingest.log.head();
    const storing = requester.command('item.store', itemData({ text: 'x'.repeat(500_001) }), context());
    await expect(storing).rejects.toMatchObject({ code: 'input.invalid', details: { field: 'text', limit: 500_000 } });
    expect(await ingest.log.head()).toBe(before);
  });
});

describe('a replica that takes commands under its own id', () => {
  const commandsOf = async ({ commandSeconds }: Metrics): Promise<number> => {
    const { values } = await commandSeconds.get();
    return values.find(({ metricName }) => metricName?.endsWith('_count'))?.value ?? 0;
  };

  it('gets those of its workspaces, and leaves them to the others when it stops', async () => {
    const [living, metrics, replicaId] = [watchIngests(ingest.nats), createMetrics(), uuidV7()];
    await ingest.nats.flush();
    const addressed = new Requester(ingest.nats, living);
    const store = () => addressed.command('item.store', itemData(), context());
    const replica = await startReplica(metrics, replicaId);
    while (living.ownerOf(admin.workspaceId) !== replicaId) await new Promise(setImmediate);
    for (let i = 0; i < 3; i++) expect(await store()).toMatchObject({ position: await ingest.log.head() });
    expect(await commandsOf(metrics)).toBe(3);
    await replica.close();
    while (living.ownerOf(admin.workspaceId) !== undefined) await new Promise(setImmediate);
    // A gateway that has missed the notice asks it, learns that it is gone, and asks another.
    living.receive({ replicaId, isLeaving: false });
    expect(await store()).toMatchObject({ position: await ingest.log.head() });
    expect(living.ownerOf(admin.workspaceId)).toBeUndefined();
    expect(await commandsOf(metrics)).toBe(3);
  }, 60_000);
});
